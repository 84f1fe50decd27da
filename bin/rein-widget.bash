
# Added by `--widget`: a key puts the likeliest command into the line, again the next one, and at last what was typed. It runs nothing.
if [[ ${__rein_session-} == "bash-$$-"* && -z ${__rein_key-} ]]; then
  __rein_key='@KEY@' __rein_was='' __rein_shown='' __rein_turn=0 __rein_found=()

  __rein_suggest() {
    local -
    set +euxTE
    if [[ -z $__rein_shown || $READLINE_LINE != "$__rein_shown" ]]; then
      builtin mapfile -t -d '' __rein_found < <(
        REIN_SHELL_SESSION=$__rein_session command rein memory suggest --null --limit 10 --timeout 0.3s -- "$READLINE_LINE" 2>/dev/null </dev/null
      )
      __rein_found+=("$READLINE_LINE")
      __rein_turn=0
    else
      __rein_turn=$(((__rein_turn + 1) % ${#__rein_found[@]}))
    fi
    READLINE_LINE=${__rein_found[__rein_turn]}
    READLINE_POINT=${#READLINE_LINE}
    __rein_shown=$READLINE_LINE
  }

  __rein_key_off() {
    local map
    for map in emacs vi-insert; do bind -m "$map" -r "$__rein_key"; done
    [[ -z $__rein_was ]] || bind -m emacs "$__rein_was"
    unset -f __rein_suggest __rein_key_off
  }

  # What the key did before, for rein_shell_off.
  __rein_was=$(bind -m emacs -p 2>/dev/null)
  if [[ $__rein_was == *"\"$__rein_key\": "* ]]; then
    __rein_was="\"$__rein_key\": ${__rein_was#*"\"$__rein_key\": "}"
    __rein_was=${__rein_was%%$'\n'*}
  else
    __rein_was=''
  fi
  bind -m emacs -x "\"$__rein_key\": __rein_suggest" 2>/dev/null
  bind -m vi-insert -x "\"$__rein_key\": __rein_suggest" 2>/dev/null
fi
