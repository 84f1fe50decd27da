import { isOwnPrompt } from '../contract/wake.ts'
import { shortId } from '../contract/ids.ts'

const fence = /<rein-(directive|message) id="([^"\n]+)" ([^\n]*?) ?part="[^\n]*>\n([^]*?)\n<\/rein-\1 id="\2" [^\n]*>/g
const notification = /<task-notification>([^]*?)<\/task-notification>/g
const reminder = /<\/?system-reminder>/g

/** A prompt or an added context as a person reads it: without the marks that models get. */
export const plainWords = (text: string): string => {
  const told = [...text.matchAll(fence)].map(([, , id = '', about = '', body = '']) => {
    const lines = body.split('\n').map((line) => line.replace(/^\| ?/, ''))
    return `${tellerOf(about)}: ${lines.join('\n').trim()} (${shortId(id)})`
  })
  const rest = text
    .replaceAll(fence, '')
    .replaceAll(notification, (_, inside: string) => /<summary>([^]*?)<\/summary>/.exec(inside)?.[1] ?? '')
    .replaceAll(reminder, '')
    .trim()
  const own = isOwnPrompt(rest) ? 'woken by Rein' : rest
  return [...(told.length > 0 && own === 'woken by Rein' ? [] : [own]), ...told]
    .filter((each) => each !== '')
    .join('\n')
}

/** Who said it, by the opening line of a fence. */
const tellerOf = (about: string): string => {
  const { from, room, channel, sender } = Object.fromEntries(
    [...about.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  )
  if (channel !== undefined) return `${sender ?? 'somebody'} on ${channel}`
  const who = from?.replace(/^agent /, '') ?? 'somebody'
  return room === undefined ? `${who} told it` : `${who} in ${room}`
}
