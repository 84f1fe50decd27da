import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writeFileAtomic } from '../../base/util/atomic-write.ts'
import { parseLines, moveDirectory, formatLines, readTranscript, transcriptName } from '../carried.ts'
import type { Arrival, CarriedFile, ConversationCarry } from '../contract.ts'
import { refuseExisting } from '../cut-files.ts'
import type { Json } from '../json.ts'
import { cut } from './cut.ts'
import { locate } from './transcript.ts'

/** The conversation itself. Settings, titles, queues and copies of files belong to the machine they were made on. */
const kept: readonly unknown[] = ['user', 'assistant', 'attachment', 'system', 'progress']

export const carry: ConversationCarry = {
  pack: async (request, scratch) => {
    const made = await cut({ ...request, env: { CLAUDE_CONFIG_DIR: scratch } })
    const lines = parseLines(await readFile(made.transcript, 'utf8')).filter(({ type }) => kept.includes(type))
    const content = formatLines(lines)
    const dir = join(dirname(made.transcript), made.conversation, 'subagents')
    const names = existsSync(dir) ? (await readdir(dir)).toSorted() : []
    return [
      { name: transcriptName, content },
      ...(await Promise.all(names.map((name) => fileAt(join(dir, name), `subagents/${name}`)))),
      ...(await resultsIn(content, dirname(request.transcript))),
    ]
  },
  unpack: async (arrival) => {
    const { newConversation: conversation, files } = arrival
    const transcript = locate(conversation, await realpath(arrival.cwd), arrival.env)
    refuseExisting(transcript)
    const beside = join(dirname(transcript), conversation)
    for (const { name, read } of files.filter((one) => one.name !== transcriptName)) {
      await mkdir(dirname(join(beside, name)), { recursive: true, mode: 0o700 })
      const content = await read()
      await writeFileAtomic(join(beside, name), name.endsWith('.jsonl') ? arrived(content, arrival) : content)
    }
    await mkdir(dirname(transcript), { recursive: true, mode: 0o700 })
    await writeFileAtomic(transcript, arrived(await readTranscript(files), arrival))
    return { conversation, transcript }
  },
}

/** Goes line by line, because a parsed line takes many times the memory of its text. */
const arrived = (content: string, arrival: Arrival): string =>
  content
    .split('\n')
    .map((line) => {
      const wanted = parseLines(line).filter(({ type }) => kept.includes(type))
      return formatLines(wanted.map((raw) => moveLine(raw, arrival)))
    })
    .join('')

/** The permission mode of the other machine is not carried over. */
const moveLine = (line: Json, arrival: Arrival): Json => {
  const { permissionMode: _, ...raw } = line
  return {
    ...raw,
    ...('sessionId' in raw ? { sessionId: arrival.newConversation } : {}),
    ...('cwd' in raw ? { cwd: moveDirectory(raw.cwd, arrival) } : {}),
  }
}

const fileAt = async (path: string, name: string): Promise<CarriedFile> => ({
  name,
  content: await readFile(path, 'utf8'),
})

const resultPath = /([0-9a-f-]{36})\/tool-results\/([\w-][\w.-]*)/g

/** Large tool results, stored beside the conversation that first wrote them. */
const resultsIn = async (lines: string, dir: string): Promise<CarriedFile[]> => {
  const named = new Map(Array.from(lines.matchAll(resultPath), ([, owner = '', name = '']) => [name, owner]))
  const found = [...named].filter(([name, owner]) => existsSync(join(dir, owner, 'tool-results', name)))
  return Promise.all(
    found.map(([name, owner]) => fileAt(join(dir, owner, 'tool-results', name), `tool-results/${name}`)),
  )
}
