import path from 'node:path'
import type { Replacement } from '../../contract/action.ts'
import type { Surface, TextTarget } from '../../contract/rule.ts'
import type { Subject, World } from './types.ts'

/** Which texts a call of each surface has; the first is what matchers look at unless told otherwise. */
export const targetsOf: Record<Surface, readonly TextTarget[]> = {
  shell: ['command', 'input'],
  write: ['content', 'added', 'result', 'path', 'input'],
  edit: ['content', 'added', 'result', 'path', 'input'],
  delete: ['path', 'input'],
  read: ['path', 'input'],
  fetch: ['url', 'input'],
  mcp: ['input'],
  prompt: ['prompt'],
  stop: [],
}

export const defaultTarget = (surface: Surface): TextTarget | undefined => targetsOf[surface][0]

/** The file that a subject is about; null where it is about none, or about one that cannot be told. */
export const pathOf = ({ surface, action }: Subject): string | null => {
  if (action === null) return null
  if (action.kind === 'move') return surface === 'delete' ? action.from : action.to
  return 'path' in action ? action.path : null
}

/** A text that stands in the call itself; undefined where something else must be asked for it. */
export const textInCall = ({ action, input, prompt }: Subject, target: TextTarget): string | undefined => {
  if (target === 'input') return JSON.stringify(input)
  if (target === 'prompt') return prompt ?? undefined
  if (target === 'command') return action?.kind === 'shell' ? action.command : undefined
  if (target === 'url') return action?.kind === 'fetch' ? action.url : undefined
  if (target !== 'content') return undefined
  if (action?.kind === 'write') return action.content
  return action?.kind === 'edit' ? action.replacements.map((each) => each.new).join('\n') : undefined
}

/** Any of the texts; null if it is unknown. */
export const textOf = async (subject: Subject, target: TextTarget, world: World): Promise<string | null> => {
  const inCall = textInCall(subject, target)
  if (inCall !== undefined) return inCall
  const { action } = subject
  if (target === 'path') {
    const file = pathOf(subject)
    if (file === null) return null
    // From the top of the project where it lies there.
    const real = await world.realPath(path.resolve(world.cwd, file))
    const relative = path.relative(await world.realPath(world.root), real)
    return relative.startsWith('../') ? real : relative
  }
  if (action?.kind === 'move') return world.readFile(path.resolve(world.cwd, action.from))
  if (action?.kind === 'write')
    return target === 'result' ? action.content : addedTo(await present(subject, world), action.content)
  if (action?.kind !== 'edit') return null
  if (target === 'added') return action.replacements.map((each) => addedTo(each.old, each.new)).join('\n')
  const before = await present(subject, world)
  return before === null ? null : edited(before, action.replacements)
}

const present = async (subject: Subject, { cwd, readFile }: World): Promise<string | null> => {
  const file = pathOf(subject)
  return file === null ? null : readFile(path.resolve(cwd, file))
}

/** The lines of the new text that the old one has not, each as often as it is more. */
const addedTo = (before: string | null, after: string): string => {
  if (before === null || before === '') return after
  const left = new Map<string, number>()
  for (const line of before.split('\n')) left.set(line, (left.get(line) ?? 0) + 1)
  const isNew = (line: string): boolean => {
    const count = left.get(line) ?? 0
    left.set(line, count - 1)
    return count <= 0
  }
  return after.split('\n').filter(isNew).join('\n')
}

/** The file with all replacements done in their order; null where one of them is not to be found. */
const edited = (before: string, replacements: readonly Replacement[]): string | null => {
  let text: string | null = before
  for (const { old, new: next, isEverywhere } of replacements) {
    if (!text.includes(old)) return null
    // As a function, because `$&` in a new text means itself.
    text = isEverywhere ? text.replaceAll(old, () => next) : text.replace(old, () => next)
  }
  return text
}

/** The subject with another text in the place of its own; null where it has no single one. */
export const withText = (subject: Subject, text: string): Subject | null => {
  const { action } = subject
  if (action?.kind === 'shell') return { ...subject, action: { ...action, command: text } }
  if (action?.kind === 'write') return { ...subject, action: { ...action, content: text } }
  if (action?.kind === 'fetch') return { ...subject, action: { ...action, url: text } }
  const [only, ...more] = action?.kind === 'edit' ? action.replacements : []
  if (action?.kind !== 'edit' || only === undefined || more.length > 0) return null
  return { ...subject, action: { ...action, replacements: [{ ...only, new: text }] } }
}
