import { buildRouteMap } from '@stricli/core'
import { command } from '../../command.ts'
import { flag, positional, shells, tuple } from '../../parameters.ts'

export const shell = {
  shell: buildRouteMap({
    docs: { brief: 'Let your shell tell Rein what you run' },
    routes: {
      init: command({
        brief: 'Print the script that a shell has to source',
        more: 'For the end of ~/.bashrc or ~/.zshrc; fish: rein memory shell init fish | source, in config.fish. rein_shell_off undoes it in a running shell.',
        examples: ['eval "$(rein memory shell init bash)"', 'eval "$(rein memory shell init zsh --widget shift-tab)"'],
        flags: {
          widget: flag.textOrEmpty(
            '[KEY]',
            'With a key that puts the likeliest command into the line, like shift-tab [default: alt-n]',
          ),
        },
        args: tuple({ ...positional('shell', shells.join(', ')), proposeCompletions: () => shells }),
        load: () => import('./init.ts'),
      }),
    },
  }),
}
