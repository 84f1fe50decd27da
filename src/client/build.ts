import type { IncomingMessage } from 'node:http'
import { ReinError } from '../contract/errors.ts'
import { buildHeader } from '../contract/headers.ts'
import { build, unbuilt, version } from '../base/util/version.ts'

/** The build of the daemon that answered last: null if it did not say, undefined if none has answered. */
let heard: string | null | undefined

export const hearBuild = ({ headers }: IncomingMessage): void => {
  const told = headers[buildHeader]
  heard = typeof told === 'string' ? told : null
}

/** Whether the daemon that answered last is another build of this version. */
export const isOtherBuild = (): boolean => heard !== undefined && heard !== build && build !== unbuilt

/** The answer of a daemon to an unknown request. */
const unknownRequest = /^(There is no (GET|POST) \/|Not understood: )/

/**
 * Two builds of one version may not understand each other, and nobody can tell which is the newer one. Whatever that leads to,
 * a crash of ours or a request that the daemon does not know, a person is told what to do.
 */
export const explainBuilds = (cause: unknown, isAgent: boolean): unknown => {
  const isStrange = cause instanceof ReinError ? unknownRequest.test(cause.message) : cause instanceof TypeError
  if (!isStrange || !isOtherBuild()) return cause
  return new ReinError(
    'unavailable',
    `The daemon is another build of Rein ${version} than this command: ${(cause as Error).message}`,
    isAgent
      ? 'A person can replace it: rein daemon stop; agents go on.'
      : 'Replace it: rein daemon stop; agents go on, and the next command starts one of this build.',
  )
}
