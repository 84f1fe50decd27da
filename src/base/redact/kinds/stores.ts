import { type CommandKind, command, list } from '../command-kind.ts'

/** Arguments of the clients of databases, queues, directories and vaults. */
export const stores: readonly CommandKind[] = [
  command(
    'mysqlsh',
    'mysqlsh',
    { next: ['--uri'], after: ':', until: '@' },
    'mysqlsh --uri root:«hunter2»@localhost:3306',
  ),
  command(
    'mysql',
    'mysql|mysqldump|mysqladmin|mysqlimport|mysqlshow|mysqlcheck|mysqlslap|mariadb|mariadb-dump|mariadb-admin|mycli',
    { joined: ['-p'] },
    'mysql -u root -p«hunter2» app',
    "mysqldump --all -p'«correct horse»' > dump.sql",
    'mariadb -p«s3cret»',
  ),
  command('mysqladmin', 'mysqladmin|mariadb-admin', { next: ['password'] }, 'mysqladmin -u root password «hunter2»'),
  command(
    'redis-cli',
    'redis-cli|valkey-cli|keydb-cli',
    { next: list('-a|--pass') },
    'redis-cli -h x -a «hunter2» ping',
  ),
  command(
    'vault-unseal',
    'vault operator unseal|vault unwrap|bao operator unseal',
    { position: 0, look: 'random' },
    'vault operator unseal «‹b43›=»',
  ),
  command('consul', 'consul|nomad', { next: list('-token|--token') }, 'consul members -token=«‹g›»'),
  command('etcdctl', 'etcdctl|nats', { next: ['--user'], after: ':' }, 'etcdctl --user root:«hunter2» get /'),
  command(
    'mongo',
    'mongo|mongosh|mongodump|mongorestore|mongoexport|mongoimport|mongostat|mongotop',
    { next: list('-p|--password'), joined: ['-p'] },
    'mongo -u admin -p «hunter2» app',
  ),
  command(
    'sqlcmd',
    'sqlcmd|mssql-cli|bcp|isql|tsql|osql',
    { next: ['-P'], joined: ['-P'] },
    "sqlcmd -S db -U sa -P '«hunter2»' -Q 'select 1'",
  ),
  command(
    'sqlplus',
    'sqlplus|sqlldr|expdp|impdp|rman target',
    { position: 0, after: '/', until: '@' },
    'sqlplus system/«hunter2»@//db:1521/X',
  ),
  command('cqlsh', 'cqlsh|nodetool', { next: list('-p|-pw|--password') }, 'cqlsh -u cassandra -p «hunter2» 10.0.0.3'),
  command(
    'influx',
    'influx|influxd',
    { next: list('-t|--token'), look: 'random' },
    "influx query -t «‹w86›==» 'buckets()'",
  ),
  command(
    'influx-password',
    'influx|influxd',
    { next: list('-password|-p') },
    'influx -username ada -password «hunter2»',
  ),
  command(
    'ldap',
    'ldapsearch|ldapadd|ldapmodify|ldapdelete|ldapwhoami|ldappasswd',
    { next: list('-w|-s'), joined: ['-w'] },
    'ldapwhoami -x -D cn=admin -w «hunter2»',
  ),
  command(
    'mosquitto',
    'mosquitto_pub|mosquitto_sub|mosquitto_rr',
    { next: list('-P|--pw') },
    'mosquitto_pub -h b -u ada -P «hunter2» -t a',
  ),
  command(
    'rabbitmq',
    'rabbitmqctl add_user|rabbitmqctl change_password|rabbitmqctl authenticate_user',
    { position: 1 },
    'rabbitmqctl add_user ada «hunter2»',
  ),
  command(
    'rabbitmqadmin',
    'rabbitmqadmin',
    { next: list('-p|--password') },
    'rabbitmqadmin -u ada -p «hunter2» list queues',
  ),
  command(
    'minio',
    'mc alias set|mc config host add|mcli alias set',
    { position: 3 },
    'mc alias set a http://b:9000 ada «hunter2»',
  ),
  command('kerberos', 'kadmin|kadmin.local', { next: list('-w|-pw') }, 'kadmin -p ada/admin -w «hunter2»'),
  command(
    'sql-client',
    'clickhouse-client|clickhouse client|cockroach sql|trino|presto|vertica|vsql|snowsql|exaplus|hdbsql',
    { next: list('--password|-w|-p') },
    'vsql -U ada -w «hunter2» -c x',
  ),
]
