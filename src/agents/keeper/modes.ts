import type { Terminal } from '@xterm/headless'

/** Modes that a new view needs and the serializer leaves out: cursor visibility, and the form of mouse events. */
const remembered = [25, 1006]

/** Listens for these modes from now on; returns what sets them as they are. */
export const rememberModes = ({ parser }: Terminal): (() => string) => {
  const modes = new Map<number, string>()
  for (const final of ['h', 'l'])
    parser.registerCsiHandler({ prefix: '?', final }, (params) => {
      for (const mode of params.flat()) if (remembered.includes(mode)) modes.set(mode, final)
      return false
    })
  return () => [...modes].map(([mode, final]) => `\u001b[?${mode}${final}`).join('')
}
