import path from 'node:path'
import { isExecutable } from './executable.ts'

interface Place {
  env: Record<string, string | undefined>
  platform: string
}

/** A program that shows a notification: its name, and the command for a title and a text. */
interface DesktopNotifier {
  program: string
  command: (title: string, text: string) => string[]
}

const osascript = [
  '-e',
  'on run argv',
  '-e',
  'display notification (item 2 of argv) with title (item 1 of argv)',
  '-e',
  'end run',
]

const notifiers: readonly (DesktopNotifier & { platform: string })[] = [
  {
    program: 'notify-send',
    platform: 'linux',
    // Some servers take markup in the text.
    command: (title, text) => [
      'notify-send',
      '--app-name=Rein',
      '--',
      title,
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    ],
  },
  {
    program: 'wsl-notify-send.exe',
    platform: 'linux',
    command: (title, text) => ['wsl-notify-send.exe', '--category', title, '--', text],
  },
  {
    program: 'terminal-notifier',
    platform: 'darwin',
    // It takes what begins with a bracket for something else.
    command: (title, text) => ['terminal-notifier', '-title', title, '-message', text.replace(/^\[/, '\\[')],
  },
  {
    program: 'osascript',
    platform: 'darwin',
    command: (title, text) => ['osascript', ...osascript, '--', title, text],
  },
]

/** What this system has to notify a person with; null if nothing is known to be there. */
export const findDesktopNotifier = ({ env, platform }: Place): DesktopNotifier | null =>
  notifiers.find(
    (one) =>
      one.platform === platform &&
      env['PATH']
        ?.split(path.delimiter)
        .some((dir) => path.isAbsolute(dir) && isExecutable(path.join(dir, one.program))),
  ) ?? null
