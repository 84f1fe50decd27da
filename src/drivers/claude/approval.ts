import { join } from 'node:path'
import { parseObject } from '../../base/util/json.ts'
import type { Deployment } from '../contract.ts'
import { marker } from '../deployed.ts'
import { readSettingsFile } from './settings.ts'

/** The lists in which Claude Code keeps what its user said to the servers of a project. */
const lists = ['enabledMcpjsonServers', 'disabledMcpjsonServers']

/** What it wrote down about Rein's server, as if Rein had: without that server it means nothing. */
export const leavings = (project: string): Deployment[] => {
  const path = join(project, '.claude/settings.local.json')
  const settings = parseObject(readSettingsFile(path))
  const isNamed = (list: string): boolean => [settings?.[list]].flat().includes('rein')
  return lists.filter(isNamed).map((list) => ({ kind: 'json-items', path, at: [list], items: ['rein'], marker }))
}
