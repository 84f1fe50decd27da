import { describe, expect, test } from 'vitest'
import { predecessors } from './coming-from.ts'
import { findSetting } from './lookup.ts'
import { settings } from './settings.ts'
import { checkValue } from './value.ts'

describe('the table of settings', () => {
  test('keys and variables are of one form, and each is there once', () => {
    expect(settings.filter(({ key }) => !/^[a-z]+\.[a-z][a-z_]*[a-z]$/.test(key))).toEqual([])
    expect(settings.filter(({ env }) => !/^REIN_[A-Z_]+$/.test(env))).toEqual([])
    expect(new Set(settings.map(({ key }) => key)).size).toBe(settings.length)
    expect(new Set(settings.map(({ env }) => env)).size).toBe(settings.length)
  })

  test('the meaning of each is one sentence', () => {
    expect(settings.filter(({ doc }) => !/^[A-Z][^|\n]*[^.|\n]\.$/.test(doc))).toEqual([])
  })

  test('each default is a value that the setting takes', () => {
    const none = settings.filter((setting) => setting.default === null)
    expect(none.filter((setting) => !checkValue(setting, '').ok)).toEqual([])
    const some = settings.filter((setting) => setting.default !== null)
    expect(some.filter((setting) => !checkValue(setting, setting.default).ok)).toEqual([])
  })

  test('a project decides nothing that runs programs, opens doors or lifts permissions', () => {
    const guarded = [
      'claude.path',
      'agents.permission_mode',
      'agents.policy',
      'hooks.transport',
      'daemon.port',
      'log.retention_days',
    ]
    expect(guarded.map((key) => findSetting(key)?.scope)).toEqual(guarded.map(() => 'user'))
  })
})

const everyPredecessor = {
  ccmux: [
    'CCMUX_RUNTIME_DIR',
    'CCMUX_TMUX_SESSION',
    'CCMUX_IDLE_THRESHOLD',
    'CCMUX_SILENCE_TIMEOUT',
    'CCMUX_MCP_PORT',
    'CCMUX_BACKOFF_INITIAL',
    'CCMUX_BACKOFF_CAP',
    'CCMUX_HOOK_SCRIPT',
    'CCMUX_LOG_FILE',
    'HTTP_PROXY',
    'HTTPS_PROXY',
    '--dangerously-skip-permissions',
    '--permission-mode',
  ],
  'nbs-claude': [
    'NBS_POLL_INTERVAL',
    'NBS_POLL_DISABLE',
    'NBS_BUS_CHECK_INTERVAL',
    'NBS_NOTIFY_COOLDOWN',
    'NBS_HANDLE',
    'NBS_ROOT',
    'NBS_STARTUP_GRACE',
    'NBS_INITIAL_PROMPT',
    'NBS_NOTIFY_FAIL_THRESHOLD',
    'NBS_STANDUP_INTERVAL',
    'pythia-interval',
    'set-poll-interval',
    'NOTIFY_FAIL_COUNT',
    'PYTHIA_LAST_TRIGGER_COUNT',
  ],
  clai: [
    'CLAI_AGENT_FEED',
    'CLAI_AGENT_SUGGEST',
    'CLAI_AGENT_DIAGNOSE',
    'CLAI_EPHEMERAL',
    'CLAI_CMD',
    'CLAI_CWD',
    'CLAI_EXIT',
    'CLAI_TS',
    'CLAI_SHELL',
    'CLAI_SESSION_ID',
    'CLAI_DURATION_MS',
    'hooks timeout',
  ],
  Nancy: [
    'NANCY_CURRENT_TASK_DIR',
    'NANCY_TASK_DIR',
    'NANCY_FRAMEWORK_ROOT',
    'NANCY_HOOK_VERSION',
    'nancy-version',
    'NOTIFY_CLI_TYPE',
    'CLAUDE_CONFIG_DIR',
    'CLAUDE_SETTINGS_LOCAL',
    'config.json version',
    'config.json cli',
    'config.json model',
    'config.json token_threshold',
    'config.json deployment.hooks_deployed',
    'config.json deployment.hooks_version',
    'config.json deployment.skills_deployed',
    'config.json deployment.skills_version',
    'config.json deployment.deployed_at',
  ],
  nudge: ['PROMPT', '--continue', '--resume', '--max-turns', '--model', '--verbose', '--cwd'],
}

describe('the tools that Rein takes the place of', () => {
  test.each(Object.entries(everyPredecessor))('every name of %s is mapped, once', (tool, names) => {
    expect(predecessors.filter((each) => each.tool === tool).map(({ name }) => name)).toEqual(names)
  })

  test('each is mapped to a setting that exists, or says what serves its purpose', () => {
    expect(predecessors.filter(({ key }) => key !== undefined && findSetting(key) === undefined)).toEqual([])
    expect(predecessors.filter(({ key, note }) => key === undefined && !note)).toEqual([])
  })
})
