import { realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { configDirectory } from '../../../drivers/claude/transcript.ts'
import { homeOf } from '../../../drivers/codex/transcript.ts'
import { kindOf } from './kind.ts'

/** The histories of this user: files of shells, atuin's database, directories of transcripts. */
export const usualHistories = (env: NodeJS.ProcessEnv, home: string): string[] => {
  const data = env['XDG_DATA_HOME'] || path.join(home, '.local', 'share')
  const user = { ...env, HOME: home }
  const places = [
    env['HISTFILE'] ?? '',
    path.join(home, '.bash_history'),
    path.join(env['ZDOTDIR'] || home, '.zsh_history'),
    path.join(data, 'fish', 'fish_history'),
    env['ATUIN_DB_PATH'] || path.join(data, 'atuin', 'history.db'),
    path.join(configDirectory(user), 'projects'),
    path.join(homeOf(user), 'sessions'),
  ]
  const found = places.filter((place) => {
    const stat = place === '' ? undefined : statSync(place, { throwIfNoEntry: false })
    // HISTFILE may be anything, like /dev/null.
    return stat?.isDirectory() === true || (stat?.isFile() === true && kindOf(place) !== null)
  })
  return [...new Map(found.map((place) => [realpathSync(place), place])).values()]
}
