
# Added by `--widget`: a key puts the likeliest command into the line, again the next one, and at last what was typed. It runs nothing.
if [[ ${__rein_session-} == zsh-$$-* && -z ${__rein_key-} ]]; then
  typeset -g __rein_key='@KEY@' __rein_was='' __rein_shown=''
  typeset -ga __rein_found
  typeset -gi __rein_turn=1

  __rein_suggest() {
    emulate -LR zsh
    if [[ -z $__rein_shown || "$BUFFER" != "$__rein_shown" ]]; then
      __rein_found=(${(0)"$(REIN_SHELL_SESSION=$__rein_session command rein memory suggest --null --limit 10 --timeout 0.3s -- "$BUFFER" </dev/null 2>/dev/null)"})
      __rein_found+=("$BUFFER")
      __rein_turn=1
    else
      __rein_turn=$((__rein_turn % $#__rein_found + 1))
    fi
    BUFFER=$__rein_found[__rein_turn]
    CURSOR=$#BUFFER
    __rein_shown=$BUFFER
  }

  __rein_key_off() {
    emulate -L zsh
    bindkey -M viins -r $__rein_key
    if [[ $__rein_was == undefined-key ]]; then
      bindkey -M emacs -r $__rein_key
    else
      bindkey -M emacs $__rein_key $__rein_was
    fi
    zle -D __rein_suggest
  }

  () {
    emulate -L zsh
    # What the key did before, for rein_shell_off.
    __rein_was=${${(z)"$(bindkey -M emacs $__rein_key)"}[2]}
    zle -N __rein_suggest
    bindkey -M emacs $__rein_key __rein_suggest
    bindkey -M viins $__rein_key __rein_suggest
  }
fi
