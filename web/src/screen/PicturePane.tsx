import { pictureSize, pictureUrl } from '../state/screen.ts';

export function PicturePane() {
  return pictureUrl.value ? <img class="picture" src={pictureUrl.value} alt="Screen" onLoad={(event) => {
    pictureSize.value = { width: event.currentTarget.naturalWidth, height: event.currentTarget.naturalHeight };
  }} /> : null;
}
