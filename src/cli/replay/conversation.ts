import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { ConversationEntry } from '../../contract/conversation.ts'
import { ReinError } from '../../contract/errors.ts'
import type { Driver } from '../../drivers/contract.ts'
import { ConversationGraph } from '../../drivers/conversation.ts'

/** A conversation as its CLI wrote it down. */
export interface Conversation {
  entries: readonly ConversationEntry[]
  graph: ConversationGraph
}

export const conversationOf = (entries: readonly ConversationEntry[]): Conversation => {
  const graph = new ConversationGraph()
  for (const entry of entries) graph.add(entry)
  return { entries, graph }
}

export const readConversation = async (driver: Driver, file: string): Promise<Conversation> => {
  const { format } = driver.transcript
  if (format.kind !== 'lines')
    throw new ReinError('refused', `${driver.title} keeps its conversations in a database, which is not replayed.`)
  return conversationOf(await readEntries(file, format.reader()))
}

const readEntries = async (file: string, read: (line: string) => ConversationEntry[]): Promise<ConversationEntry[]> => {
  const entries: ConversationEntry[] = []
  try {
    for await (const line of createInterface(createReadStream(file))) entries.push(...read(line))
    return entries
  } catch (cause) {
    throw new ReinError('not_found', `The transcript ${file} cannot be read: ${(cause as Error).message}`)
  }
}

/** The conversations of the sub-agents of a conversation. */
export const readSubagents = async (
  { transcript: { subagents } }: Driver,
  file: string,
): Promise<ConversationEntry[][]> =>
  Promise.all((subagents?.files(file) ?? []).map((one) => readEntries(one, subagents?.reader() ?? (() => []))))
