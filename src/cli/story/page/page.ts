import { createHash } from 'node:crypto'
import type { Story, StoryMoment } from '../../../contract/routes/story.ts'
import { outcomeText } from '../../../contract/story-words.ts'
import { counted, formatDay, formatTime, formatTook, joinLines } from '../../format.ts'
import { agentCells, agentHeader, costLine, turnLines } from '../text.ts'
import { escapeHtml as safe } from './escape.ts'
import { script } from './script.ts'
import { styleFor } from './style.ts'

/** How a file begins that may be written over by another story. */
export const pageBeginning = '<!doctype html>\n<!-- A story told by Rein -->\n'

// A file is read by other people and by agents, too.
const anybody = { isAgent: true }

/** A story as one file that needs nothing else: no server, no network, no other file. */
export const storyPage = (story: Story): string => {
  const others = story.moments.flatMap(({ agent }) => agent ?? [])
  const lanes = [...new Set([...story.agents.map(({ handle }) => handle), ...others])]
  const style = styleFor(lanes.length)
  const title = `${safe(story.subject.name)}: a story`
  return `${pageBeginning}<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${hashOf(style)}'; script-src '${hashOf(script)}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
${headPart(story)}
${agentsPart(story)}
${
  story.blockers.length === 0
    ? ''
    : `<h2>Still blocked</h2>\n<ul>\n${story.blockers
        .map(({ id, from, at, text }) => `<li>${safe(from)}, ${stamp(at)}: ${safe(text)} <code>${safe(id)}</code></li>`)
        .join('\n')}\n</ul>`
}
<h2>What happened</h2>
${filtersPart(story, lanes)}
${momentsPart(story, lanes)}
</main>
<script>${script}</script>
</body>
</html>
`
}

/** The hash lets the browser tell our script and style from injected ones. */
const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`

const headPart = ({ subject, state, from, to, isCut, foldedCount, moments }: Story): string =>
  joinLines(
    `<h1>${safe(subject.name)}</h1>`,
    `<p>${subject.kind} of ${safe(subject.project)}${state === null ? '' : `, ${safe(state.replaceAll('_', ' '))}`}</p>`,
    from === null
      ? '<p>Nothing happened yet.</p>'
      : `<p class="dim">${stamp(from)} to ${stamp(to)}: ${formatTook(to - from)}, ${counted(moments.length, 'moment')}</p>`,
    isCut && '<p class="dim">The log does not reach back to all of it.</p>',
    foldedCount > 0 && `<p class="dim">${counted(foldedCount, 'moment')} are told together with others.</p>`,
  )

const stamp = (at: number): string =>
  `<time datetime="${new Date(at).toISOString()}">${formatDay(at)} ${formatTime(at, at)}</time>`

const numbersFrom = 3

const cell =
  (tag: string) =>
  (text: string, index: number): string =>
    `<${tag}${index >= numbersFrom ? ' class="number"' : ''}>${safe(text)}</${tag}>`

const agentsPart = ({ agents }: Story): string => {
  const rows = agents.map((agent) => `<tr>${agentCells(agent).map(cell('td')).join('')}</tr>`)
  const header = agentHeader.map((name) => name.toLowerCase()).map(cell('th'))
  return `<h2>Agents</h2>\n<div class="wide"><table>\n<tr>${header.join('')}</tr>\n${rows.join('\n')}\n</table></div>`
}

const box = (name: string, value: string, label: string): string =>
  `<label><input type="checkbox" name="${name}" value="${safe(value)}" checked> ${safe(label)}</label>`

/** Hidden without the script that makes them work. */
const filtersPart = ({ moments }: Story, lanes: string[]): string => {
  const kinds = [...new Set(moments.map(({ kind }) => kind))]
  const agents = [...lanes.map((handle, lane) => box('lane', String(lane), handle)), box('lane', 'none', 'no agent')]
  return `<div class="filters" hidden>
<fieldset><legend>Agents</legend>${agents.join('')}</fieldset>
<fieldset><legend>Kinds</legend>${kinds.map((kind) => box('kind', kind, kind)).join('')}</fieldset>
</div>`
}

const momentsPart = ({ moments }: Story, lanes: string[]): string => {
  const headings = lanes.map((handle, lane) => `<div class="heading lane-${lane}">${safe(handle)}</div>`)
  const parts: string[] = []
  let day = ''
  for (const moment of moments) {
    const today = formatDay(moment.at)
    if (today !== day) parts.push(`<h3 class="day">${today}</h3>`)
    day = today
    parts.push(momentPart(moment, lanes))
  }
  return `<div class="wide"><div class="lanes">\n${[...headings, ...parts].join('\n')}\n</div></div>`
}

const momentPart = (moment: StoryMoment, lanes: string[]): string => {
  const { at, agent, kind, tone, text, why, outcome, turn, count, until, evidence } = moment
  const lane = agent === null ? 'none' : String(lanes.indexOf(agent))
  const many = count > 1 && kind === 'turn' ? `${counted(count, 'turn')}: ` : ''
  const lines = turn === null ? [] : turnLines(turn)
  return joinLines(
    `<article class="moment lane-${lane} tone-${tone}" data-lane="${lane}" data-kind="${kind}">`,
    `<header><time datetime="${new Date(at).toISOString()}">${formatTime(at, at)}</time>${agent === null ? '' : `<span class="who">${safe(agent)}</span>`}<span>${kind}</span></header>`,
    `<p class="text">${safe(many + text)}</p>`,
    why !== null && `<p>${safe(why)}</p>`,
    lines.length > 0 && `<ul>${lines.map((line) => `<li>${safe(line)}</li>`).join('')}</ul>`,
    turn !== null && `<p class="dim">${safe(costLine(turn, until === null ? null : until - at))}</p>`,
    outcome !== null &&
      `<p class="outcome tone-${outcome.tone}">→ ${safe(outcomeText(outcome, anybody))}, after ${formatTook(Math.max(0, outcome.at - at))}</p>`,
    `<details class="evidence"><summary>evidence</summary>${evidence.map(safe).join('<br>')}</details>`,
    '</article>',
  )
}
