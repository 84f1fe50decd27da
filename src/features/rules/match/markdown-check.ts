import type { Check, Doubt } from './answer.ts'
import { lookAtPart } from './look.ts'
import { codeBlocks } from './markdown.ts'
import { tooLong, unknownText } from './regex.ts'

/** One code block that fits. */
export const markdownCheck =
  (languages: string | readonly string[] | null, check: Check, isGuard: boolean): Check =>
  async (look) => {
    // The new text of an edit seldom has the fences of its block: so the whole file is looked at where it can be told.
    const whole = look.subject.surface === 'edit' ? await look.text('result') : null
    const text = whole === null || whole.text === null ? await look.text(null) : whole
    if (text === null) return null
    if (text.text === null) return unknownText(isGuard, text)
    const long = tooLong(text.text)
    if (long !== null) return long
    let doubt: Doubt | null = null
    for (const block of codeBlocks(text.text, languages)) {
      const answer = await check(lookAtPart(look, { ...text, text: block.text, start: block.start }))
      if (answer?.kind === 'fit') return { ...answer, captures: { ...answer.captures, language: block.language } }
      doubt ??= answer
    }
    return doubt
  }
