import type { TextTarget } from '../../../contract/rule.ts'
import type { ShellReading } from '../../../base/shell/reading.ts'
import { defaultTarget, targetsOf, textInCall, textOf } from '../texts.ts'
import type { Rest } from '../../../base/util/rest.ts'
import type { Subject, World } from '../types.ts'
import type { Look, LookText } from './answer.ts'

/** One subject for all rules of one evaluation: each text is worked out once, the shell line read once. */
export const lookAt = (subject: Subject, world: World, rest: Rest): Look => {
  const texts = new Map<TextTarget, Promise<LookText>>()
  const textsNow = new Map<TextTarget, string | undefined>()
  let reading: Promise<ShellReading | null> | undefined
  let readingNow: ShellReading | null | undefined
  const read = async (): Promise<ShellReading | null> => {
    const { action } = subject
    return action?.kind === 'shell' ? world.readShell(action.command, action.cwd ?? world.cwd) : null
  }
  const targetFor = (asked: TextTarget | null): TextTarget | undefined => {
    const target = asked ?? defaultTarget(subject.surface)
    return target !== undefined && targetsOf[subject.surface].includes(target) ? target : undefined
  }
  const work = async (target: TextTarget): Promise<LookText> => {
    const text = await textOf(subject, target, world)
    return { target, text, whole: text ?? '', start: 0 }
  }
  return {
    subject,
    world,
    textNow: (asked) => {
      const target = targetFor(asked)
      if (target === undefined) return undefined
      if (!textsNow.has(target)) textsNow.set(target, textInCall(subject, target))
      return textsNow.get(target)
    },
    text: async (asked) => {
      const target = targetFor(asked)
      if (target === undefined) return null
      await rest()
      const known = texts.get(target) ?? work(target)
      texts.set(target, known)
      return known
    },
    reading: async () => (readingNow = await (reading ??= read())),
    readingNow: () => readingNow,
    rest,
  }
}

/** A part of a text as if it were the whole call; what it does as a line of a shell is read when a matcher asks. */
export const lookAtPart = (look: Look, part: LookText): Look => ({
  ...look,
  textNow: () => part.text ?? undefined,
  text: async () => {
    await look.rest()
    return part
  },
  reading: async () => (part.text === null ? null : look.world.readShell(part.text, look.world.cwd)),
  readingNow: () => undefined,
})
