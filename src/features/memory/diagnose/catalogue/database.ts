import type { KnownFailure } from './known.ts'

export const database: readonly KnownFailure[] = [
  {
    name: 'postgres-down',
    output: [
      /connection to server (?:at "(?<host>[^"\n]+)"[^\n]*, port (?<port>\d+)|on socket "[^"\n]+") failed: (?:Connection refused|No such file)/,
      /could not connect to server: (?:Connection refused|No such file)/,
      /\bECONNREFUSED [\d.:]+:5432\b/,
    ],
    means: 'No PostgreSQL answers there: it is not started, or listens elsewhere.',
    run: ['pg_isready', 'docker compose ps'],
    sample: {
      command: 'psql -h 127.0.0.1 -c "select 1"',
      exit: 2,
      output:
        'psql: error: connection to server at "127.0.0.1", port 5432 failed: Connection refused\n\tIs the server running on that host and accepting TCP/IP connections?',
    },
  },
  {
    name: 'postgres-login',
    output: [
      /FATAL:\s+(?:password authentication failed for user "(?<user>[^"\n]+)"|role "(?<role>[^"\n]+)" does not exist|no pg_hba\.conf entry)/,
    ],
    means: 'PostgreSQL runs, but does not accept this user or password.',
    run: ['pg_isready', 'env | cut -d= -f1 | grep -E "^PG|DATABASE"'],
    sample: {
      command: 'psql -U app',
      exit: 2,
      output:
        'psql: error: connection to server at "localhost" (::1), port 5432 failed: FATAL:  password authentication failed for user "app"',
    },
  },
  {
    name: 'postgres-no-database',
    output: [/FATAL:\s+database "(?<database>[^"\n]+)" does not exist/],
    means: 'PostgreSQL has no database {database} yet.',
    run: ['psql -l', 'createdb {database}'],
    sample: { command: 'npm run migrate', exit: 1, output: 'error: FATAL:  database "app_test" does not exist' },
  },
  {
    name: 'table-missing',
    obvious: true,
    output: [
      /relation "(?<table>[\w.]+)" does not exist/,
      /no such table: (?<table>[\w.]+)/,
      /Table '(?<table>[\w.]+)' doesn't exist/,
    ],
    means:
      'The table {table} does not exist in that database: migrations were not run there, or it is the wrong database.',
    run: ['git ls-files "*migrations*"', 'npm run'],
    sample: {
      command: 'python manage.py test',
      exit: 1,
      output:
        'django.db.utils.ProgrammingError: relation "auth_user" does not exist\nLINE 1: SELECT 1 FROM "auth_user"',
    },
  },
  {
    name: 'mysql-down',
    output: [/Can't connect to (?:local )?MySQL server (?:on|through)/, /ERROR 200[23] \(HY000\)/],
    means: 'No MySQL answers there: it is not started, or listens elsewhere.',
    run: ['mysqladmin ping', 'docker compose ps'],
    sample: {
      command: 'mysql -e "select 1"',
      exit: 1,
      output:
        "ERROR 2002 (HY000): Can't connect to local MySQL server through socket '/var/run/mysqld/mysqld.sock' (2)",
    },
  },
  {
    name: 'mysql-login',
    output: [/Access denied for user '(?<user>[^'\n]*)'@'(?<host>[^'\n]*)'/],
    means: 'MySQL runs, but does not accept the user {user} from {host} with that password.',
    run: ['mysqladmin ping'],
    sample: {
      command: 'mysql -u app',
      exit: 1,
      output: "ERROR 1045 (28000): Access denied for user 'app'@'localhost' (using password: NO)",
    },
  },
  {
    name: 'redis-down',
    output: [/Could not connect to Redis at|Error \d+ connecting to \S+:6379|ECONNREFUSED [\d.:]+:6379\b/],
    means: 'No Redis answers there: it is not started, or listens elsewhere.',
    run: ['redis-cli ping', 'docker compose ps'],
    sample: {
      command: 'redis-cli get a',
      exit: 1,
      output: 'Could not connect to Redis at 127.0.0.1:6379: Connection refused',
    },
  },
  {
    name: 'mongo-down',
    output: [/MongoServerSelectionError|MongoNetworkError: |ServerSelectionTimeoutError/],
    means: 'No MongoDB answers there: it is not started, or listens elsewhere.',
    run: ['docker compose ps', 'ss -ltn'],
    sample: {
      command: 'node seed.js',
      exit: 1,
      output:
        'MongoServerSelectionError: connect ECONNREFUSED 127.0.0.1:27017\n    at Topology.selectServer (/srv/app/node_modules/mongodb/lib/sdam/topology.js:303:38)',
    },
  },
  {
    name: 'sqlite-locked',
    output: [/database is locked|SQLITE_BUSY/],
    means: 'Another process writes to the same SQLite database.',
    run: ['lsof -c sqlite3', 'ls -l ./*.db*'],
    sample: {
      command: 'python manage.py migrate',
      exit: 1,
      output: 'django.db.utils.OperationalError: database is locked',
    },
  },
]
