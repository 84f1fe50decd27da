import { computed, useSignal } from '@preact/signals'
import { projectName } from '../../contract/handle.ts'
import { isLoginQuestion } from '../../contract/login-question.ts'
import type { AgentView as Agent } from '../../contract/routes/agents.ts'
import { may, now } from '../link/api.ts'
import { pathTo, questionPath } from '../match-path.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Ago } from '../parts/ago.tsx'
import { Branch } from '../parts/branch.tsx'
import { costText, evidenceText, troublesOf } from '../parts/facts.ts'
import { Icon } from '../parts/icon.tsx'
import { plainLine } from '../parts/markdown.ts'
import { Empty, Page } from '../parts/page.tsx'
import { StateBadge } from '../parts/state-badge.tsx'
import { oneLine, shown } from '../parts/text.ts'
import { hrefOf } from '../router.ts'
import { actionsOf } from '../store/actions.ts'
import { agents, useAgents } from '../store/agents.ts'
import { countByNeed } from '../store/order-agents.ts'
import { nameOf } from '../store/target.ts'
import { StartDialog } from './start-dialog.tsx'

const counts = computed(() => countByNeed(agents.value ?? []))

export const AgentsView = () => {
  useAgents()
  const isStarting = useSignal(false)
  const list = agents.value
  return (
    <Page
      title="Agents"
      note={counts.value.map(({ word, count }) => `${count} ${word}`).join(' · ')}
      actions={
        may('control') ? (
          <button
            type="button"
            class="button button-main"
            title="Start an agent"
            onClick={() => (isStarting.value = true)}
          >
            <Icon name="plus" /> <span class="button-word">Start an agent</span>
          </button>
        ) : undefined
      }
    >
      {list === null ? (
        <div class="agents" role="status" aria-busy="true" aria-label="Loading" />
      ) : list.length === 0 ? (
        <Empty title="No agents yet.">
          Start one here, or in a terminal: <code>rein up worker-1 --prompt 'What is in this directory?'</code>
        </Empty>
      ) : (
        <ul class="agents">
          {list.map((agent) => (
            <AgentRow key={nameOf(agent)} agent={agent} />
          ))}
        </ul>
      )}
      {isStarting.value ? <StartDialog onClose={() => (isStarting.value = false)} /> : null}
    </Page>
  )
}

const AgentRow = ({ agent }: { agent: Agent }) => {
  const { handle, project, state, since, evidence, driver, question, detail, inbox, branch } = agent
  const open = inbox.queued + inbox.offered + inbox.placed
  return (
    <li class="agent" data-agent={nameOf(agent)}>
      <div class="agent-name">
        <a class="agent-link" href={hrefOf(pathTo('agent', project, handle))}>
          {handle}
        </a>
        <span class="agent-place soft small">
          <span class="cut">{projectName(project)}</span>
          <Branch name={branch} />
        </span>
      </div>
      <div class="agent-state">
        <StateBadge
          state={state}
          why={shown(evidenceText(evidence))}
          {...(isLoginQuestion(question) ? { words: 'not logged in' } : {})}
        />
        <span class="faint small">
          <Ago at={since} />
        </span>
      </div>
      <div class="agent-last">
        <LastWords agent={agent} />
        {troublesOf(agent, now()).map((trouble) => (
          <div key={trouble} class="agent-trouble small">
            {shown(trouble)}
          </div>
        ))}
      </div>
      <dl class="agent-facts small soft">
        <Fact name="CLI" value={driver} />
        <Fact name="cost" value={costText(detail?.usage)} />
        <Fact name="context" value={detail?.percent == null ? '' : `${Math.round(detail.percent)} %`} isNamed />
        <Fact name="messages" value={open === 0 ? '' : `${open} unseen`} />
      </dl>
      <div class="agent-actions">
        {actionsOf(agent).map((action) => (
          <ActionButton key={action.name} action={action} isSmall />
        ))}
      </div>
    </li>
  )
}

const LastWords = ({ agent: { question, detail } }: { agent: Agent }) => {
  if (question !== null)
    return (
      <a class="agent-asks" href={hrefOf(questionPath(question.id))}>
        <span class="sr-only">Answer: </span>
        {oneLine(question.summary, 240)}
      </a>
    )
  const last = detail?.last ?? null
  if (last === null) return null
  const words = last.kind === 'tool' ? last.text : plainLine(last.text)
  return <div class={`agent-words agent-words-${last.kind}`}>{oneLine(words, 240)}</div>
}

/** `isNamed`: the value alone would not say what it is. */
const Fact = ({ name, value, isNamed = false }: { name: string; value: string; isNamed?: boolean }) =>
  value === '' ? null : (
    <div class={`fact fact-${name}`}>
      <dt class={isNamed ? undefined : 'sr-only'}>{name}</dt> <dd class="number">{value}</dd>
    </div>
  )
