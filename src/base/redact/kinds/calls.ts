import type { SecretKind } from '../secret-kind.ts'
import { join, quote, value } from '../value-patterns.ts'

/** Secrets that are handed over without a name: to a client in code, to a share of Windows. */
export const calls: readonly SecretKind[] = [
  {
    kind: 'client-call',
    anchors: [
      'client(',
      'clientv2(',
      'login(',
      '.run(',
      'token(',
      'api(',
      'sdk(',
      'bot(',
      'ai(',
      'stripe(',
      'anthropic(',
      'cohere(',
      'mistral(',
      'groq(',
      'replicate(',
      'pinecone(',
      'resend(',
      'octokit(',
      'telegraf(',
      'configure(',
      'authenticate(',
      'apikey(',
      'api_key(',
      'setkey(',
    ],
    pattern: /(\.?\w{1,24}\(\s{0,4}\\?["'])[\w.~+/=-]{16,}(?=\\?["'])/y,
    look: 'random',
    samples: [
      'co = cohere.Client("«‹a40›»")',
      "client.login('«‹w24›.‹w6›.‹w38›»')",
      "bot.run('«‹w72›»')",
      "new Stripe('«‹a32›»')",
    ],
  },
  {
    kind: 'net-use',
    anchors: ['net use ', 'net.exe use '],
    pattern: join(
      'iy',
      String.raw`(net(?:\.exe)? use\s{1,4}(?:(?:[a-z]:|\*)\s{1,4})?["']?(?:\\{2,4}|\/\/)[^\s"']{1,200}["']?\s{1,4}(?:\/\S{1,80}\s{1,4}){0,6}${quote})(?![/*])${value}`,
    ),
    look: 'any',
    samples: [
      String.raw`net use Z: \\nas\share «hunter2» /user:ada`,
      String.raw`net use \\nas\share /user:DOM\ada «hunter2»`,
      String.raw`net use * \\nas\share "«correct horse»" /user:ada`,
    ],
  },
]
