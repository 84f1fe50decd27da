import { ReinError } from '../../contract/errors.ts'
import type { CliContext, JsonFlag } from '../context.ts'

/** Each asks `rein __complete` with the words up to the cursor; a line is a candidate, a tab, its description. */
const scripts: Record<string, string> = {
  bash: `_rein() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(rein __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o bashdefault -o default -F _rein rein`,
  zsh: `#compdef rein
_rein() {
  local -a found
  local line
  while IFS= read -r line; do
    found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(rein __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then _describe -t rein rein found; else _files; fi
}
if [[ \${funcstack[1]} == _rein ]]; then _rein "$@"; else compdef _rein rein; fi`,
  fish: `function __rein_complete
  set -l words (commandline -opc) (commandline -ct)
  rein __complete $words[2..-1] 2>/dev/null
end
complete -c rein -a '(__rein_complete)'`,
}

export const run = async ({ out }: CliContext, { json }: JsonFlag, shell: string): Promise<void> => {
  const script = scripts[shell]
  if (script === undefined)
    throw new ReinError('usage', `There are no completions for "${shell}".`, 'Give bash, zsh or fish.')
  if (json) out.document({ shell, script })
  else out.line(script)
}
