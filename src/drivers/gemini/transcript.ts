import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseObject, textOf } from '../../base/util/json.ts'
import type { TranscriptFormat } from '../contract.ts'
import { listNames, realPath } from '../files.ts'
import { TranscriptReader } from './reader.ts'
import { geminiDirectory } from './user-home.ts'

export const format: TranscriptFormat = {
  kind: 'lines',
  reader: () => {
    const reader = new TranscriptReader()
    return (line) => reader.read(line)
  },
}

/** Its name holds the minute of its start and the beginning of its id; so it has to be there to be found. */
export const locate = (conversation: string, cwd: string, env: NodeJS.ProcessEnv): string | null => {
  const suffix = `-${conversation.slice(0, 8)}.jsonl`
  const candidates = transcripts(cwd, env).filter((path) => path.endsWith(suffix))
  // A resume leaves an empty file with the same id.
  const largestFirst = candidates.toSorted((a, b) => statSync(b).size - statSync(a).size)
  return largestFirst.find((path) => conversationIn(path) === conversation) ?? null
}

/** The conversation of this directory that was written last, in the first home that has one. */
export const newest = (cwd: string, homes: readonly NodeJS.ProcessEnv[]): string | null => {
  for (const env of homes) {
    const times = transcripts(cwd, env).map((path) => ({ path, at: statSync(path).mtimeMs }))
    const latest = times.toSorted((a, b) => b.at - a.at).find(({ path }) => isResumable(path))
    if (latest !== undefined) return conversationIn(latest.path)
  }
  return null
}

/** The CLI refuses to resume an empty conversation. */
export const isResumable = (path: string): boolean =>
  /^\{"id":.*"type":"(?:user|gemini)"/m.test(readFileSync(path, 'utf8'))

/** `<home>/.gemini/tmp/<name of the project>/chats/session-….jsonl`; what sub-agents did is in directories of its own. */
const transcripts = (cwd: string, env: NodeJS.ProcessEnv): string[] =>
  findProjects(cwd, env).flatMap((project) => {
    const directory = join(project, 'chats')
    return listNames(directory)
      .filter((name) => /^session-.*\.jsonl$/.test(name))
      .map((name) => join(directory, name))
  })

/** The directories that the CLI keeps for this one. */
export const findProjects = (cwd: string, env: NodeJS.ProcessEnv): string[] => {
  const projects = join(geminiDirectory(env), 'tmp')
  return listNames(projects)
    .map((name) => join(projects, name))
    .filter((project) => {
      try {
        return realPath(readFileSync(join(project, rootMarker), 'utf8').trim()) === realPath(cwd)
      } catch {
        return false
      }
    })
}

/** Contains the directory that belongs to a project's name. */
export const rootMarker = '.project_root'

const headLength = 4096

const conversationIn = (path: string): string | null => {
  const file = openSync(path, 'r')
  try {
    const buffer = Buffer.alloc(headLength)
    const [line = ''] = buffer.toString('utf8', 0, readSync(file, buffer, 0, headLength, 0)).split('\n')
    return textOf(parseObject(line)?.sessionId)
  } finally {
    closeSync(file)
  }
}
