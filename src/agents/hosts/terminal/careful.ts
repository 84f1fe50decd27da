import type { ScreenReading } from '../../../drivers/contract.ts'
import type { Condition } from './screen.ts'

/** Why nothing is typed into a terminal now. */
export const refusals = ['pane_dead', 'copy_mode', 'human_typing', 'dialog_open', 'draft', 'not_ready'] as const
export type Refusal = (typeof refusals)[number]

/** Whatever it shows: keys would go nowhere or to something else, or come between those of a person. */
export const handsOff = ({ isDead, isScrolled, typedMsAgo }: Condition, quietMs: number): Refusal | null => {
  if (isDead) return 'pane_dead'
  if (isScrolled) return 'copy_mode'
  return typedMsAgo !== null && typedMsAgo < quietMs ? 'human_typing' : null
}

/** Whether exactly this text stands in the input box of an idle screen. */
export const stands = (reading: ScreenReading, text: string): boolean =>
  reading.kind === 'idle' && bare(reading.draft) === bare(text)

/** A long paste is shown as a mark that says how much it is, not what: only whoever just pasted into an empty box knows. */
export const isPasted = (reading: ScreenReading, text: string): boolean =>
  stands(reading, text) || (reading.kind === 'idle' && /^\[Pasted (text|content)?[^\]]*\]$/i.test(reading.draft.trim()))

/** Why this text may not be typed now; null if it may. Anything but an empty input box of an idle screen could press a button. */
export const refusalOf = (
  text: string,
  reading: ScreenReading,
  condition: Condition,
  quietMs: number,
  isOurs = stands,
): Refusal | null => {
  const reason = handsOff(condition, quietMs)
  if (reason !== null) return reason
  if (reading.kind === 'dialog') return 'dialog_open'
  if (reading.kind !== 'idle') return 'not_ready'
  return reading.draft === '' || isOurs(reading, text) ? null : 'draft'
}

/** A draft that nobody has touched for so many times the quiet was left behind, or is a suggestion of the CLI's own. */
const draftTimes = 10

/** Why a turn that can wait is not begun under the hands of a person, also where nothing would be typed for it. */
export const postponementOf = (reading: ScreenReading, condition: Condition, quietMs: number): Refusal | null => {
  const reason = refusalOf('', reading, condition, quietMs)
  if (reason === 'human_typing' || reason === 'copy_mode') return reason
  const { typedMsAgo } = condition
  return reason === 'draft' && typedMsAgo !== null && typedMsAgo < draftTimes * quietMs ? reason : null
}

/** A narrow input box breaks a line where it likes. */
export const bare = (text: string): string => text.replaceAll(/\s+/g, '')

/** Anything that could end a paste, move the cursor or press a key. */
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

export const harmless = (text: string): string => text.replaceAll(/\r\n?/g, '\n').replaceAll(unsafe, '')
