import type { SecretKind } from '../secret-kind.ts'

/** Secrets inside addresses and connection strings. */
export const addresses: readonly SecretKind[] = [
  {
    kind: 'url-password',
    anchors: ['://'],
    pattern: /(:\/\/[^\s:@/?#"'<>[]{0,128}:)[^\s@/"'<>]+(?=@)/y,
    look: 'any',
    samples: ['postgres://ada:«hunter2»@db.example/app', 'redis://:«p:ss%40word»@localhost:6379'],
  },
  {
    kind: 'url-token',
    anchors: ['://'],
    pattern: /(:\/\/)[^\s:@/?#"'<>[]{6,}(?=:(?:x-oauth-basic|x-token-auth|x-access-token|x|)@)/y,
    look: 'opaque',
    samples: [
      'git clone https://«‹x40›»:x-oauth-basic@github.com/a/b',
      'curl https://«rk_‹a24›»:@api.example/v1',
      'https://«hunter22»:x@api.example',
    ],
  },
  {
    kind: 'url-user',
    anchors: ['://'],
    pattern: /(:\/\/)[A-Za-z0-9_-]{20,}(?=@)/y,
    look: 'random',
    samples: ['git clone https://«‹x40›»@github.com/a/b'],
  },
  {
    kind: 'oracle-url',
    anchors: ['jdbc:oracle:'],
    pattern: /(jdbc:oracle:\w{1,8}:[^\s/"']{1,64}\/)[^\s/"'@]{3,}(?=@)/y,
    look: 'any',
    samples: ['jdbc:oracle:thin:scott/«hunter2»@//db:1521/X'],
  },
  {
    kind: 'webhook',
    anchors: ['hooks.slack.com/', 'discord.com/api/webhooks/', 'discordapp.com/api/webhooks/'],
    pattern:
      /((?:hooks\.slack\.com\/(?:services|workflows|triggers)|discord(?:app)?\.com\/api\/webhooks)\/)[\w/-]{16,}/y,
    samples: ['https://hooks.slack.com/services/«T‹U8›/B‹U8›/‹a24›»', 'https://discord.com/api/webhooks/«‹d18›/‹w68›»'],
  },
  {
    kind: 'automation-webhook',
    anchors: [
      'hooks.zapier.com/',
      'hook.',
      'hooks.',
      'webhook.',
      'webhooks.',
      'maker.ifttt.com/',
      'build_hooks/',
      'integrations/deploy/',
      'hc-ping.com/',
    ],
    pattern:
      /((?:hooks\.zapier\.com\/hooks\/(?:catch|standard)|maker\.ifttt\.com\/(?:trigger|use)(?:\/[\w-]{1,60}(?:\/json)?\/with\/key)?|api\.netlify\.com\/build_hooks|build_hooks|integrations\/deploy|hc-ping\.com|(?<=:\/\/)(?:web)?hooks?\.(?!slack\.com)[\w.-]{3,80})\/)(?=[\w/-]{0,80}(?:\d[\w-]{5}|[\w-]{5}\d))[\w/-]{8,}/y,
    look: 'opaque',
    samples: [
      'https://hooks.zapier.com/hooks/catch/«1234567/b‹n6›/»',
      'curl https://hook.eu1.make.com/«‹n30›7»',
      'https://maker.ifttt.com/trigger/ev/with/key/«‹w22›»',
      'POST https://api.netlify.com/build_hooks/«‹x24›»',
    ],
  },
  {
    kind: 'teams-webhook',
    anchors: ['webhook.office.com/', 'outlook.office.com/webhook'],
    pattern: /((?:webhook|outlook)\.office\.com\/webhookb?2?\/)[\w@/-]{36,}/y,
    samples: ['https://acme.webhook.office.com/webhookb2/«‹g›@‹g›/IncomingWebhook/‹x32›/‹g›»'],
  },
  {
    kind: 'google-chat-webhook',
    anchors: ['chat.googleapis.com/'],
    pattern: /(chat\.googleapis\.com\/v1\/spaces\/[\w-]{6,20}\/messages\?)[\w=&%-]{40,}/y,
    samples: ['https://chat.googleapis.com/v1/spaces/AAAA1234/messages?«key=‹w39›&token=‹w43›»'],
  },
  {
    kind: 'azure',
    anchors: ['accountkey=', 'sharedaccesskey=', 'sharedsecret='],
    pattern: /((?:AccountKey|SharedAccessKey|SharedSecret)=)[A-Za-z0-9+/]{30,}={0,2}/y,
    samples: [
      'DefaultEndpointsProtocol=https;AccountName=a;AccountKey=«‹b86›==»;EndpointSuffix=core.windows.net',
      'Endpoint=sb://a;SharedAccessKeyName=n;SharedAccessKey=«‹b43›=»',
    ],
  },
  {
    kind: 'signature-parameter',
    anchors: ['sig=', 'signature='],
    pattern: /((?:sig|signature)=)[A-Za-z0-9%+/_~-]{30,}={0,2}/iy,
    samples: [
      'https://a.blob.core.windows.net/c?sv=2022-11-02&sig=«‹a42›%3D»&se=2030',
      'https://b.s3.amazonaws.com/a?X-Amz-Expires=900&X-Amz-Signature=«‹x64›»',
    ],
  },
  {
    kind: 'security-token-parameter',
    anchors: ['x-amz-security-token='],
    pattern: /(X-Amz-Security-Token=)[A-Za-z0-9%+/_-]{30,}={0,2}/iy,
    samples: ['https://b.s3.amazonaws.com/a?X-Amz-Security-Token=«IQoJb3Jp‹a200›%3D»&x=1'],
  },
  {
    kind: 'key-parameter',
    anchors: ['key=', 'code=', 'auth=', 'sid=', 'jwt='],
    pattern: /((?<=[?&])(?:key|code|auth|sid|jwt)=)[\w%.~+/-]{20,}={0,2}/iy,
    look: 'random',
    samples: ['https://a.example/x?v=1&key=«‹a32›»', '/api/run?code=«‹w54›==»'],
  },
  {
    kind: 'otpauth',
    anchors: ['otpauth://'],
    pattern: /(otpauth:\/\/[^\s"'?]{0,200}\?(?:[\w=%]{0,100}&){0,6}secret=)[A-Z2-7a-z]{8,}/y,
    samples: ['otpauth://totp/a:b?issuer=a&secret=«‹S32›»'],
  },
  {
    kind: 'pgpass',
    anchors: [':5432:', ':5433:', ':*:'],
    pattern: /(:(?:543\d|\*):[\w*-]{1,63}:[\w*-]{1,63}:)[^\s"':\\]{4,}/y,
    look: 'any',
    samples: ['db.internal:5432:app:ada:«hunter2»'],
  },
]
