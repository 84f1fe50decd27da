import { homedir } from 'node:os'
import type { Agents } from '../../agents/agents.ts'
import type { Base } from '../../base/base.ts'
import type { Agent } from '../../contract/agent.ts'
import type { HookCall } from '../../contract/hooks.ts'
import type { Deeds, Saved } from './deeds.ts'
import { GitLook } from './git.ts'
import { ownVariables } from './guard/own-variables.ts'
import type { World } from './types.ts'
import { type WorldPorts, worldOf } from './world.ts'

/** The facts about the place of a call that rules may ask for. */
export const worlds = (
  { now, log, lines, paths }: Base,
  { supervisor, environment }: Agents,
  deeds: Deeds,
  lease: WorldPorts['lease'],
) => {
  const variables = ownVariables(paths)
  const git = new GitLook(now)
  const ports = {
    git,
    deeds,
    now,
    readShell: (command: string, cwd: string, home: string | null) => lines.read(command, { cwd, home, variables }),
    home: (id: string | null) => (id === null ? undefined : environment.of(id)['HOME']) ?? homedir(),
    lease,
    // The cost of its conversation as the CLI reports it; null if it reports none.
    budgetUsed: (id: string) => {
      const conversation = supervisor.get(id)?.conversation ?? null
      const costs = log
        .readNewest('turns', id, newestTurns)
        .flatMap(({ type, body }) =>
          type === 'turn.ended' && body.conversation === conversation ? (body.usage?.costUsd ?? []) : [],
        )
      return costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0)
    },
  }
  return ({ cwd, subagent }: HookCall, agent: Agent | null, root: string | null): World =>
    worldOf(ports, { subagent, cwd: cwd ?? agent?.cwd ?? '/' }, agent?.id === '' ? null : agent, root)
}

const newestTurns = 500
const newestSnapshots = 1000

/** The snapshots of its present conversation. */
export const snapshotsOf = ({ log }: Base, { supervisor }: Agents, agent: string): Saved[] =>
  log
    .readNewest('sessions', agent, newestSnapshots)
    .flatMap(({ type, body }) =>
      type === 'session.snapshot' && body.conversation === supervisor.get(agent)?.conversation
        ? [{ at: body.at, tree: body.snapshot.tree }]
        : [],
    )
    .toSorted((one, other) => one.at - other.at)
