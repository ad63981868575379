# complete.bash SCRIPT LINE: what bash would offer at the end of LINE, one a line.
source "$1"
COMP_LINE="$2" COMP_POINT=${#2}
read -ra COMP_WORDS <<< "$COMP_LINE"
[[ "$COMP_LINE" == *' ' ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_clawperator
printf '%s\n' "${COMPREPLY[@]}"
