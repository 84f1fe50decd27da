// Draws docs/demo.svg from what `rein demo --once` really prints: `node scripts/picture.mjs`.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const output = execFileSync(process.execPath, [join(root, 'bin/rein.cjs'), 'demo', '--once'], { encoding: 'utf8' })

const colours = { queued: '#8be9fd', offered: '#8be9fd', placed: '#8be9fd', seen: '#50fa7b', acked: '#50fa7b' }
const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const lineHeight = 19
const columns = 112

const shorten = (line) => {
  const shortIds = line.replaceAll(/([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '$1…')
  return shortIds.length > columns ? `${shortIds.slice(0, columns - 1)}…` : shortIds
}

const draw = (line) => {
  const [, before, state, after] = /^( +[\d:]{8} +)(\w+)(.*)$/.exec(line) ?? []
  if (state !== undefined)
    return `${before}<tspan fill="${colours[state] ?? '#f8f8f2'}">${state}</tspan>${escape(after)}`
  if (line.startsWith('$'))
    return `<tspan fill="#ffb86c">$</tspan><tspan fill="#ffffff">${escape(line.slice(1))}</tspan>`
  return escape(line)
}

const lines = output.trimEnd().split('\n').map(shorten)
const texts = lines.map(
  (line, index) => `<text x="16" y="${28 + index * lineHeight}" xml:space="preserve">${draw(line)}</text>`,
)
const [width, height] = [columns * 7.3 + 32, lines.length * lineHeight + 28]
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<rect width="100%" height="100%" rx="8" fill="#282a36"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="12" fill="#c8c8d0">
${texts.join('\n')}
</g>
</svg>
`
writeFileSync(join(root, 'docs/demo.svg'), svg)
