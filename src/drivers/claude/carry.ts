import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writeFileAtomic } from '../../base/util/atomic-write.ts'
import { linesOf, movedDir, toLines, transcriptIn, transcriptName } from '../carried.ts'
import type { Arrival, CarriedFile, ConversationCarry } from '../contract.ts'
import { refuseExisting } from '../cut-files.ts'
import { cut } from './cut.ts'
import { locate } from './transcript.ts'

type Json = Record<string, unknown>

/** What is said in it. Settings, titles, queues and copies of files belong to the machine that it was held on. */
const kept: readonly unknown[] = ['user', 'assistant', 'attachment', 'system', 'progress']

export const carry: ConversationCarry = {
  pack: async (request, scratch) => {
    const made = await cut({ ...request, env: { CLAUDE_CONFIG_DIR: scratch } })
    const lines = linesOf(await readFile(made.transcript, 'utf8')).filter(({ type }) => kept.includes(type))
    const content = toLines(lines)
    return [
      { name: transcriptName, content },
      ...(await filesIn(join(dirname(made.transcript), made.conversation, 'subagents'), 'subagents')),
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
    await writeFileAtomic(transcript, arrived(await transcriptIn(files), arrival))
    return { conversation, transcript }
  },
}

/** Line by line: what is parsed takes many times the room of its text. */
const arrived = (content: string, arrival: Arrival): string =>
  content
    .split('\n')
    .map((line) => toLines(arrivedLines(linesOf(line), arrival)))
    .join('')

const arrivedLines = (lines: readonly Json[], arrival: Arrival): Json[] =>
  lines.filter(({ type }) => kept.includes(type)).map((raw) => arrivedLine(raw, arrival))

/** In which mode somebody else let it work is nothing that is taken over from them. */
const arrivedLine = (raw: Json, arrival: Arrival): Json => {
  const { permissionMode: _, ...rest } = raw
  return {
    ...rest,
    ...('sessionId' in rest ? { sessionId: arrival.newConversation } : {}),
    ...('cwd' in rest ? { cwd: movedDir(rest.cwd, arrival) } : {}),
  }
}

const filesIn = async (dir: string, prefix: string): Promise<CarriedFile[]> => {
  const names = existsSync(dir) ? (await readdir(dir)).toSorted() : []
  return Promise.all(names.map(async (name) => fileAt(join(dir, name), `${prefix}/${name}`)))
}

const fileAt = async (path: string, name: string): Promise<CarriedFile> => ({
  name,
  content: await readFile(path, 'utf8'),
})

const resultPath = /([0-9a-f-]{36})\/tool-results\/([\w-][\w.-]*)/g

/** Large results of tools, beside the conversation in which each was written first. */
const resultsIn = async (lines: string, dir: string): Promise<CarriedFile[]> => {
  const named = new Map(Array.from(lines.matchAll(resultPath), ([, owner = '', name = '']) => [name, owner]))
  const found = [...named].filter(([name, owner]) => existsSync(join(dir, owner, 'tool-results', name)))
  return Promise.all(
    found.map(([name, owner]) => fileAt(join(dir, owner, 'tool-results', name), `tool-results/${name}`)),
  )
}
