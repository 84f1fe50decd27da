import type { OutgoingMessage } from './sdk/adapter.ts'

/** Puts a message into a template: `{text}`, `{handle}`, `{channel}`, `{id}`. In one go, so that its own text is left as it is. */
export const fill = (template: string, { text, from, channel, id }: OutgoingMessage): string => {
  const values: Record<string, string> = { text, handle: from?.handle ?? 'rein', channel, id }
  return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}
