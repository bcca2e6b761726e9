# complete.bash FILE WORD...: what completion offers for the last word.
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_clinch 2>/dev/null
printf '%s\n' "${COMPREPLY[@]}"
