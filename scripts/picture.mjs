// Draws docs/demo.svg from what `rein demo --once` really prints: `node scripts/picture.mjs`.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { escapeXml, frame } from './svg.mjs'

const root = join(import.meta.dirname, '..')
const output = execFileSync(process.execPath, [join(root, 'bin/rein.cjs'), 'demo', '--once'], { encoding: 'utf8' })

const colours = { queued: '#8be9fd', offered: '#8be9fd', placed: '#8be9fd', seen: '#50fa7b', acked: '#50fa7b' }
const columns = 112

const shorten = (line) => {
  const shortIds = line.replaceAll(/([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '$1…')
  return shortIds.length > columns ? `${shortIds.slice(0, columns - 1)}…` : shortIds
}

const draw = (line) => {
  const [, before, state, after] = /^( +[\d:]{8} +)(\w+)(.*)$/.exec(line) ?? []
  if (state !== undefined)
    return `${before}<tspan fill="${colours[state] ?? '#f8f8f2'}">${state}</tspan>${escapeXml(after)}`
  if (line.startsWith('$'))
    return `<tspan fill="#ffb86c">$</tspan><tspan fill="#ffffff">${escapeXml(line.slice(1))}</tspan>`
  return escapeXml(line)
}

const lines = output.trimEnd().split('\n').map(shorten)
writeFileSync(join(root, 'docs/demo.svg'), frame(lines.map(draw), columns))
