import './style/tokens.css';
import './style/base.css';
import './style/widgets.css';
import './style/app.css';
import './style/shelf.css';
import './style/screen.css';
import './style/tree.css';
import { render } from 'preact';
import { App } from './app.tsx';

render(<App />, document.getElementById('app')!);
