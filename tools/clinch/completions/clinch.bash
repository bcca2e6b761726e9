# bash completion for clinch                              -*- shell-script -*-

_clinch() {
  local current=${COMP_WORDS[COMP_CWORD]} name value prefix=
  COMPREPLY=()
  # bash divides words at "=".
  if [[ $current == "=" ]]; then
    name=${COMP_WORDS[COMP_CWORD - 1]} value=
  elif [[ ${COMP_WORDS[COMP_CWORD - 1]} == "=" ]]; then
    name=${COMP_WORDS[COMP_CWORD - 2]} value=$current
  else
    name=${COMP_WORDS[COMP_CWORD - 1]} value=$current
  fi
  if [[ ${COMP_WORDS[1]} == cache && $COMP_CWORD -eq 2 ]]; then
    COMPREPLY=($(compgen -W "info clear export import" \
      -- "$current"))
    return
  fi
  if [[ $COMP_CWORD -gt 1 && ${COMP_WORDS[1]} == @(cc|c++) ]]; then
    COMPREPLY=($(compgen -f -- "$current"))
    return
  fi
  case $name in
    --emit)
      [[ $value == *,* ]] && prefix=${value%,*},
      COMPREPLY=($(compgen -P "$prefix" -W \
        "graph blocks labels c llvm llvm-opt asm obj html ptx llvm-device" -- "${value##*,}"))
      return ;;
    --device) COMPREPLY=($(compgen -W "sm_75 sm_80 sm_86 sm_89 sm_90 sm_100 sm_120" \
      -- "$value")); return ;;
    --tier) COMPREPLY=($(compgen -W "fast default max" -- "$value")); return ;;
    --language) COMPREPLY=($(compgen -W "c c++" -- "$value")); return ;;
    --form) COMPREPLY=($(compgen -W "function struct" -- "$value")); return ;;
    --linker) COMPREPLY=($(compgen -W "graph op" -- "$value")); return ;;
    --colour | --color)
      COMPREPLY=($(compgen -W "auto always never" -- "$value")); return ;;
    --stats) [[ ${COMP_WORDS[COMP_CWORD - 1]} == "=" || $current == "=" ]] &&
      { COMPREPLY=($(compgen -W "json" -- "$value")); return; } ;;
    --cache-dir) COMPREPLY=($(compgen -d -- "$value")); return ;;
    --inputs | --outputs)
      COMPREPLY=($(compgen -W "double object float64 float64[:] float32[:]
        int64 int64[:] bool" -- "$value"))
      return ;;
    -c | --function) return ;;
    -o) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "-c -i -o -h --emit= --lines --function= --inputs=
      --outputs= --run --stats --tier= --language= --form= --linker= --debug
      --no-cache --cache-dir= --colour= --color= --version --help" \
      -- "$current"))
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] &&
      compopt -o nospace
    return
  fi
  COMPREPLY=($(compgen -f -X '!*.@(py|c|cc|cpp|cxx|cu)' -- "$current")
             $(compgen -d -- "$current"))
  [[ $COMP_CWORD -eq 1 ]] && COMPREPLY+=($(compgen -W "cache cc c++" -- "$current"))
}
shopt -s extglob
complete -o filenames -F _clinch clinch
