import type { Story as StoryValue, StoryAgent, StoryMoment } from '../../contract/routes/story.ts'
import { momentText, outcomeText } from '../../contract/story-words.ts'
import { groupByDay, tokensOf, tookText, turnLines } from '../store/story-rows.ts'
import { costText, shortCount } from './facts.ts'
import { shown } from './text.ts'
import { clockTime } from './time.ts'

const person = { isAgent: false }

/** Who did what, when, through what and why; oldest first. */
export const Story = ({ story: { moments, agents, isCut, foldedCount } }: { story: StoryValue }) => (
  <div class="story">
    {isCut ? <p class="notice notice-warn">The log does not reach back to all of it.</p> : null}
    {foldedCount > 0 ? <p class="soft">It is long: {foldedCount} moments are told together with others.</p> : null}
    {moments.length === 0 ? <p class="soft">Nothing happened yet.</p> : null}
    {groupByDay(moments).map(({ day, moments: ofDay }) => (
      <section key={day}>
        <h3 class="story-day">{new Date(day).toLocaleDateString(undefined, { dateStyle: 'full' })}</h3>
        <ol class="story-moments">
          {ofDay.map((moment, at) => (
            <Moment key={at} moment={moment} />
          ))}
        </ol>
      </section>
    ))}
    {agents.length === 0 ? null : <Agents agents={agents} />}
  </div>
)

const Moment = ({ moment }: { moment: StoryMoment }) => {
  const { at, until, kind, agent, why, tone, outcome, turn, count, evidence } = moment
  return (
    <li class={`story-moment story-${tone}`}>
      <time class="story-time number" dateTime={new Date(at).toISOString()} title={new Date(at).toLocaleString()}>
        {clockTime(at)}
      </time>
      <div class="grow">
        <span class="story-kind">{kind}</span> {agent === null ? null : <strong>{shown(agent)}</strong>}{' '}
        {shown(momentText(moment, person))}
        {count > 1 ? <span class="soft"> ({count} times)</span> : null}
        {until === null || until === at ? null : <span class="soft small"> · {tookText(until - at)}</span>}
        {why === null ? null : <div class="soft">{shown(why)}</div>}
        {turn === null
          ? null
          : turnLines(turn).map((line) => (
              <div key={line} class="soft story-did">
                {shown(line)}
              </div>
            ))}
        {outcome === null ? null : (
          <div class={`story-${outcome.tone}`}>
            → {shown(outcomeText(outcome, person))}, after {tookText(Math.max(0, outcome.at - at))}
          </div>
        )}
        {evidence.length === 0 ? null : (
          <details class="story-evidence">
            <summary>Evidence</summary>
            <code>{shown(evidence.join(' '))}</code>
          </details>
        )}
      </div>
    </li>
  )
}

const Agents = ({ agents }: { agents: readonly StoryAgent[] }) => (
  <div class="table" tabIndex={0} role="region" aria-label="Agents of the story">
    <table>
      <thead>
        <tr>
          {['Agent', 'Role', 'Turns', 'Files', 'Commands', 'Failed', 'Tokens', 'Cost', 'Working', 'Waiting'].map(
            (name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {agents.map((agent) => (
          <tr key={agent.handle}>
            <th scope="row">{agent.handle}</th>
            <td>{agent.role ?? '–'}</td>
            <td>{agent.turns}</td>
            <td>{agent.files}</td>
            <td>{agent.commands}</td>
            <td>{agent.failed}</td>
            <td>{shortCount(tokensOf(agent))}</td>
            <td>{costText(agent) || '–'}</td>
            <td>{tookText(agent.workingMs)}</td>
            <td>{tookText(agent.waitingMs)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
