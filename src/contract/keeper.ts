/**
 * The language of the keeper, the process that holds the terminals of `pty` agents. It is spoken on a Unix socket in frames
 * (`base/util/frames.ts`), and it only grows: a keeper outlives upgrades of the daemon.
 *
 * A message with an `id` is a request; its answer carries the same `id`, and `ok` or `error`.
 * After `watch` a connection gets the events of all terminals.
 * After `attach` it is a view of one terminal: the first frame of bytes paints what there is, those that follow are what
 * the program writes, untouched. Frames of bytes to the keeper are typed. It ends with the event `exit`.
 */
export type KeeperRequest =
  | { op: 'start'; agent: string; plan: KeptPlan; size: Size }
  | { op: 'read'; agent: string }
  /** Keys by tmux's names. */
  | { op: 'keys'; agent: string; keys: string[] }
  | { op: 'paste'; agent: string; text: string }
  | { op: 'condition'; agent: string }
  /** Forgets a terminal; a program that still runs in it is hung up. */
  | { op: 'end'; agent: string }
  | { op: 'watch' }
  /** The program is ended when the view of its owner is gone. */
  | { op: 'attach'; agent: string; size: Size; isOwner: boolean }
  | { op: 'resize'; size: Size }

export interface KeptPlan {
  command: string
  args: string[]
  env: Record<string, string>
  cwd: string
}

export interface Size {
  columns: number
  rows: number
}

/** The answer to each request. */
export interface KeeperAnswers {
  start: { pid: number }
  read: { text: string }
  keys: null
  paste: null
  condition: { isDead: boolean; typedMsAgo: number | null }
  end: { code: number | null }
  watch: null
  attach: null
  resize: null
}

/** A program that a signal has ended has the code that shells give it: 128 and the signal's number. */
export type KeeperEvent = { event: 'changed'; agent: string } | { event: 'exit'; agent: string; code: number }

export type KeeperMessage = KeeperEvent | { id: number; ok: unknown } | { id: number; error: string }
