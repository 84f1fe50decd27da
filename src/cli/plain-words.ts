import { nameFor } from '../contract/person.ts'
import { isOwnPrompt } from '../contract/wake.ts'
import { shortId } from '../contract/ids.ts'

const fence = /<rein-(directive|message) id="([^"\n]+)" ([^\n]*?) ?part="[^\n]*>\n([^]*?)\n<\/rein-\1 id="\2" [^\n]*>/g
const notification = /<task-notification>([^]*?)<\/task-notification>/g
/** What the model is told to do about it, behind each fence: for a person it would only repeat itself. */
const advice =
  /^(When you have taken this into account|This is part 1 of|The text above came in from outside|The user said this in|This was said in|Nothing needs to be acknowledged)[^\n]*$/gm
const reminder = /<\/?system-reminder>/g

/** A prompt or an added context as a person reads it: without the marks that models get. */
export const plainWords = (text: string, reader: { isAgent: boolean }): string => {
  const told = [...text.matchAll(fence)].map(([, , id = '', about = '', body = '']) => {
    const lines = body.split('\n').map((line) => line.replace(/^\| ?/, ''))
    return `${tellerOf(about, reader)}: ${lines.join('\n').trim()} (${shortId(id)})`
  })
  const unfenced = text.replaceAll(fence, '')
  const rest = (told.length > 0 ? unfenced.replaceAll(advice, '') : unfenced)
    .replaceAll(notification, (_, inside: string) => /<summary>([^]*?)<\/summary>/.exec(inside)?.[1] ?? '')
    .replaceAll(reminder, '')
    .trim()
  const own = isOwnPrompt(rest) ? 'woken by Rein' : rest
  return [...(told.length > 0 && own === 'woken by Rein' ? [] : [own]), ...told]
    .filter((each) => each !== '')
    .join('\n')
}

/** Who said it, by the opening line of a fence. */
const tellerOf = (about: string, reader: { isAgent: boolean }): string => {
  const { from, room, channel, sender } = Object.fromEntries(
    [...about.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  )
  if (channel !== undefined) return `${sender ?? 'somebody'} on ${channel}`
  const who = from?.replace(/^agent /, '') ?? 'somebody'
  const said = nameFor(reader, who)
  return room === undefined ? `${said} told it` : `${said} in ${room}`
}
