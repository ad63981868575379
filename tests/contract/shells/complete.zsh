# complete.zsh SCRIPT: what zsh would offer at the end of the line in the file zsh-line, between
# <<< and >>>. Completion works in a line editor only, so one is started in a terminal of its own,
# and compadd prints what it is given.
script=$1
zmodload zsh/zpty
cat > zsh-inner <<'INNER'
PS1= PS2= RPS1=
unsetopt prompt_cr prompt_sp beep
autoload -Uz compinit && compinit -u -D
source $CLAWPERATOR_SCRIPT
zstyle ':completion:*' list-grouped false
compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return $?; fi
  typeset -a __hits
  builtin compadd -A __hits "$@"
  [[ -n $__hits ]] && print -rl -- $__hits >> zsh-found
  builtin compadd "$@"
}
report() {
  : > zsh-found
  BUFFER=$(<zsh-line) CURSOR=99999
  zle complete-word
  print -rn -- "<<<"
  print -r -- $(<zsh-found)
  print -rn -- ">>>"
  exit
}
zle -N report
bindkey '^I' complete-word
bindkey '^X' report
INNER
export CLAWPERATOR_SCRIPT=$script
zpty z zsh -f -i
zpty -w z 'source ./zsh-inner; print rea""dy'
zpty -r -m z out '*ready*'
zpty -w -n z $'\C-X'
zpty -r -m z out '*>>>*'
print -r -- $out
