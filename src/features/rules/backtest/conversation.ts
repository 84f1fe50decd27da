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
    if (isDone) for (const action of this.#open.get(id) ?? []) this.#change(action, cwd)
    this.#open.delete(id)
  }

  #change(action: Action, cwd: string): void {
    if (action.kind === 'write') this.#files.set(path.resolve(cwd, action.path), action.content)
    if (action.kind === 'edit') this.#edit(path.resolve(cwd, action.path), action.replacements)
    if (action.kind === 'delete') this.#files.delete(path.resolve(cwd, action.path))
  }

  #edit(file: string, replacements: Extract<Action, { kind: 'edit' }>['replacements']): void {
    const before = this.#files.get(file)
    if (before === undefined) return
    let text = before
    for (const { old, new: next, isEverywhere } of replacements)
      text = isEverywhere ? text.replaceAll(old, () => next) : text.replace(old, () => next)
    this.#files.set(file, text)
  }
}
