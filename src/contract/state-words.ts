import type { AgentState } from './agent.ts'

/** What a person calls a state: on the home screen, on the page, in a prompt and in a notification alike. */
export const stateWords: Record<AgentState, string> = {
  working: 'working',
  awaiting_permission: 'asks you',
  awaiting_answer: 'asks you',
  crashed: 'crashed',
  looping: 'crash loop',
  limited: 'limited',
  starting: 'starting',
  paused: 'paused',
  idle: 'idle',
  stopped: 'stopped',
}
