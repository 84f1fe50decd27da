import path from 'node:path'
import type { Action } from '../../../contract/action.ts'

/** The files that a recorded conversation wrote itself, as far as they are known. */
export class RecordedConversation {
  readonly #open = new Map<string, readonly Action[]>()
  readonly #files = new Map<string, string>()

  fileAt(file: string): string | null {
    return this.#files.get(file) ?? null
  }

  called(id: string, actions: readonly Action[]): void {
    this.#open.set(id, actions)
  }

  /** Whether it ran something in a shell. */
  isCommand(id: string): boolean {
    return (this.#open.get(id) ?? []).some(({ kind }) => kind === 'shell')
  }

  /** Denied and failed calls changed nothing. */
  ended(id: string, isDone: boolean, cwd: string): void {
    const actions = this.#open.get(id) ?? []
    this.#open.delete(id)
    if (!isDone) return
    for (const action of actions) {
      if (action.kind !== 'write' && action.kind !== 'edit' && action.kind !== 'delete') continue
      const file = path.resolve(cwd, action.path)
      const before = this.#files.get(file)
      if (action.kind === 'write') this.#files.set(file, action.content)
      else if (action.kind === 'delete') this.#files.delete(file)
      else if (before !== undefined) {
        let text = before
        for (const { old, new: next, isEverywhere } of action.replacements)
          text = isEverywhere ? text.replaceAll(old, () => next) : text.replace(old, () => next)
        this.#files.set(file, text)
      }
    }
  }
}
