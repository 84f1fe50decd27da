import { type CommandKind, command, list } from '../command-kind.ts'

/** The name of a variable whose value nobody else should see. */
const secretName =
  /^\w*(?:(?<!PUBLIC_|PUBLISHABLE_|CACHE_)KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|PASS|PWD|PW|CREDENTIALS?|_AUTH|_PAT)=/i

/** Commands that are there to set a secret, or to log in with one. */
export const setters: readonly CommandKind[] = [
  command(
    'cloud-parameter',
    'aws ssm put-parameter',
    { next: ['--value'], look: 'opaque' },
    'aws ssm put-parameter --name /a --type SecureString --value «hunter2»',
  ),
  command(
    'cloud-secret',
    'aws secretsmanager create-secret|aws secretsmanager put-secret-value|aws secretsmanager update-secret|az keyvault secret set',
    { next: list('--value|--secret-string') },
    'az keyvault secret set --vault-name v --name n --value "«correct horse»"',
  ),
  command(
    'ansible-encrypt',
    'ansible-vault encrypt_string',
    { position: 0 },
    "ansible-vault encrypt_string '«hunter2»' --name a",
  ),
  command(
    'ci-secret',
    'gh secret set|gh variable set|glab variable set|drone secret add|drone secret update|drone orgsecret add|woodpecker-cli secret add|eas secret:create|eas env:create|llm keys set',
    { next: list('-b|--body|--value|-v|--data') },
    'gh secret set A --body "«hunter2»"',
    'drone secret add --name a --data «correct-horse» b/c',
  ),
  command(
    'secrets-set',
    'secrets set|secret set|secrets:set|variable set|variables set|variables --set|modal secret create|travis encrypt',
    { position: -1, after: '=', only: /^[A-Z_]/ },
    'flyctl secrets set RELAY=«correct-horse» -a x',
  ),
  command(
    'vault-kv',
    'vault kv put|vault kv patch|bao kv put|bao kv patch',
    { position: -1, after: '=', only: /^(?!(?:user(?:name)?|host|port|name|ttl)=)/ },
    'vault kv put secret/a user=ada value=«correct-horse»',
  ),
  command(
    'platform-variable',
    'config:set|env-set|env:set|setenv|kubectl set env|oc set env',
    { position: -1, after: '=', only: secretName },
    'heroku config:set A=1 STRIPE_KEY=«correct-horse» -a x',
    'kubectl set env deploy/a MAIL_PASS=«correct-horse»',
  ),
  command(
    'platform-value',
    'config:set|env-set|env:set|setenv|snyk config set',
    { position: -1, after: '=', look: 'random' },
    'heroku config:set RELAY=«‹a32›» -a x',
  ),
  command('act', 'act', { next: list('-s|--secret'), after: '=' }, 'act push -s RELAY=«correct-horse»'),
  command(
    'pulumi-secret',
    'pulumi config set',
    { lastIf: '-secret', others: list('-s|--stack|-C|--cwd') },
    'pulumi config set relay «hunter2» --secret --stack dev',
  ),
  command('user-secrets', 'dotnet user-secrets set', { position: 1 }, 'dotnet user-secrets set "Relay" "«hunter2»"'),
  command(
    'secure-string',
    'ConvertTo-SecureString',
    { position: 0 },
    'ConvertTo-SecureString "«hunter2»" -AsPlainText -Force',
  ),
  command('cargo-login', 'cargo login', { position: 0, look: 'opaque' }, 'cargo login «hunter22»'),
  command(
    'bundle-config',
    'bundle config',
    { position: -1, after: ':', look: 'opaque' },
    'bundle config set --global gems.a.b ada:«hunter2»',
  ),
  command(
    'nuget-push',
    'dotnet nuget push|nuget push|dotnet nuget add source|dotnet nuget update source|nuget sources add',
    { next: list('-k|--api-key|-ApiKey|-p') },
    'dotnet nuget push a.nupkg -k «hunter2»',
    'dotnet nuget add source https://a.b -n a -u ada -p «hunter2»',
  ),
  command(
    'gitlab-register',
    'gitlab-runner register',
    { next: list('-r|--registration-token|--token') },
    'gitlab-runner register -r «hunter22»',
  ),
  command(
    'ngrok',
    'ngrok',
    { next: list('authtoken|add-authtoken|add-api-key') },
    'ngrok config add-authtoken «2‹a26›_‹a21›»',
  ),
  command(
    'login-token',
    'wandb login|snyk auth|sentry-cli login|clasp login|twilio login|pulumi login|jira login|infisical login|doppler login|prefect cloud login',
    { position: 0, look: 'random' },
    'wandb login «‹x40›»',
    'snyk auth «‹g›»',
  ),
  command(
    'upload-token',
    'codecov|codecovcli|doctl|hcloud|bk configure|semgrep|vercel|vc|now|netlify|surge|fly|flyctl|railway|turso|deployctl|eas|expo|glab|hf auth login|huggingface-cli login|render|koyeb|northflank|zeabur',
    { next: list('-t|--token|--access-token'), joined: ['-t='], look: 'random' },
    'codecov -t «‹g›» -f a.xml',
    'npx vercel deploy --prod -t «‹a24›»',
    'vercel -t=«‹a24›» --yes',
  ),
  command('rclone', 'rclone obscure|rclone config password', { position: 0 }, 'rclone obscure «hunter2»'),
  command(
    'rclone-config',
    'rclone config create|rclone config update',
    { next: list('pass|password|pass2|password2|token|secret_access_key|client_secret|account_key|key') },
    'rclone config create nas sftp host a user b pass «hunter2»',
  ),
  command(
    'grafana-reset',
    'grafana-cli|grafana cli',
    { next: ['reset-admin-password'] },
    'grafana-cli admin reset-admin-password «hunter2»',
  ),
  command('totp', 'oathtool', { position: 0, look: 'random' }, 'oathtool --totp -b «‹S32›»'),
  command(
    'vault-token',
    'vault login|bao login',
    { position: 0, only: /^[^=]+$/, others: ['-method'] },
    'vault login «root-of-all»',
  ),
  command(
    'bitwarden',
    'bw unlock',
    { position: 0, others: list('--passwordenv|--passwordfile') },
    'bw unlock --raw «hunter2»',
  ),
  command(
    'account-secret',
    'bw login|b2 authorize-account|b2 account authorize|b2-cli account authorize|twilio login|confluent api-key store|consul acl set-agent-token|drush user:password|drush upwd|drush user-password|virsh secret-set-value|gcloud auth activate-refresh-token',
    { position: 1, others: list('--method|--code|--environment') },
    'bw login ada@a.b «hunter2»',
    'b2 account authorize 0012ab «‹b31›»',
    'drush upwd admin «hunter2»',
  ),
  command(
    'wifi-network',
    'networksetup -setairportnetwork',
    { position: 2 },
    'networksetup -setairportnetwork en0 Home «hunter2»',
  ),
  command(
    'setup-token',
    'nuget setapikey|cloudflared service install|mullvad account login|neo4j-admin set-initial-password|neo4j-admin dbms set-initial-password|ecryptfs-add-passphrase',
    { position: 0 },
    'nuget setapikey «hunter2»',
  ),
]
