import type { Offline } from '../contract.ts'

const dummyKey = 'sk-ant-dummy-0123456789abcdef'

export const offline: Offline = {
  // The CLI knows the key, trusts the directory, and (in versions that keep it here) has accepted the bypass mode.
  files: (_, cwd) => ({
    '.claude.json': JSON.stringify({
      hasCompletedOnboarding: true,
      bypassPermissionsModeAccepted: true,
      customApiKeyResponses: { approved: [dummyKey.slice(-20)], rejected: [] },
      projects: { [cwd]: { hasTrustDialogAccepted: true } },
    }),
  }),
  env: (url) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: dummyKey,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    IS_SANDBOX: '1',
  }),
}
