import path from 'node:path'
import type { Action } from '../../contract/action.ts'
import type { World } from '../types.ts'

type Ran = ReturnType<World['ran']>[number]

const commandsKept = 1000

/** What is known of a recorded conversation up to now: commands with their end, edits, and the files that it wrote itself. */
export class RecordedConversation {
  #ran: Ran[] = []
  readonly #open = new Map<string, string[]>()
  readonly #files = new Map<string, string>()
  hasEdited = false

  get ran(): readonly Ran[] {
    return this.#ran
  }

  fileAt(file: string): string | null {
    return this.#files.get(file) ?? null
  }

  beginTurn(): void {
    this.#ran = this.#ran.map((each) => ({ ...each, isThisTurn: false }))
  }

  /** A call was made, and nobody kept it from running. */
  called(id: string, actions: readonly Action[], cwd: string): void {
    this.#open.set(
      id,
      actions.flatMap((action) => (action.kind === 'shell' ? [action.command] : [])),
    )
    for (const action of actions) this.#change(action, cwd)
  }

  /** Whether it ran something in a shell. */
  isCommand(id: string): boolean {
    return (this.#open.get(id) ?? []).length > 0
  }

  ended(id: string, isSuccess: boolean): void {
    for (const command of this.#open.get(id) ?? [])
      this.#ran.push({ command, isSuccess, isSinceEdit: true, isThisTurn: true })
    this.#ran = this.#ran.slice(-commandsKept)
    this.#open.delete(id)
  }

  #change(action: Action, cwd: string): void {
    if (!['write', 'edit', 'delete', 'move', 'unreadable'].includes(action.kind)) return
    this.hasEdited = true
    this.#ran = this.#ran.map((each) => ({ ...each, isSinceEdit: false }))
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
