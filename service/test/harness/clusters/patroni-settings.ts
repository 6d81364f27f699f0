import { join } from 'node:path'
import type { ConnectedMachine } from './machine-network.ts'
import { binaries } from './replicated-postgres.ts'

export const ports = { postgres: 5432, patroni: 8008, etcd: 2379 }

/** Returns the file of one member. Patroni reads YAML, which includes JSON. */
export function patroniSettings({ name, address }: ConnectedMachine, folder: string, etcd: string): string {
  return JSON.stringify({
    scope: 'drill',
    name,
    restapi: { listen: `0.0.0.0:${ports.patroni}`, connect_address: `${address}:${ports.patroni}` },
    etcd3: { hosts: `${etcd}:${ports.etcd}` },
    bootstrap: {
      dcs: clusterSettings,
      initdb: ['data-checksums', 'no-sync', { encoding: 'UTF8' }, { locale: 'C' }, { auth: 'trust' }],
    },
    postgresql: {
      listen: `0.0.0.0:${ports.postgres}`,
      connect_address: `${address}:${ports.postgres}`,
      data_dir: join(folder, name),
      bin_dir: binaries,
      pgpass: join(folder, `${name}.pgpass`),
      authentication: { superuser: { username: 'postgres' }, replication: { username: 'replicator' } },
      pg_hba: ['host all all 0.0.0.0/0 trust', 'host replication all 0.0.0.0/0 trust'],
      parameters: { unix_socket_directories: '' },
      // Copies a member anew if pg_rewind cannot repair it.
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
    },
  })
}

/** Settings that docs/operations/failover.md recommends, except for fsync: no machine loses power here. */
const clusterSettings = {
  ttl: 20,
  loop_wait: 2,
  retry_timeout: 5,
  primary_start_timeout: 0,
  failsafe_mode: true,
  synchronous_mode: 'quorum',
  synchronous_mode_strict: true,
  synchronous_node_count: 1,
  postgresql: {
    use_pg_rewind: true,
    parameters: {
      wal_level: 'logical',
      wal_log_hints: 'on',
      wal_keep_size: '256MB',
      wal_sender_timeout: '5s',
      wal_receiver_timeout: '5s',
      tcp_keepalives_idle: 5,
      tcp_keepalives_interval: 2,
      tcp_keepalives_count: 3,
      tcp_user_timeout: '10s',
      max_connections: 100,
      fsync: 'off',
      jit: 'off',
    },
  },
}

/** Returns settings that lead to the primary, and end the sessions of a server that is no longer primary. */
export function haproxySettings(port: number, members: readonly ConnectedMachine[]): string {
  const servers = members.map(
    ({ name, clientAddress }) => `  server ${name} ${clientAddress}:${ports.postgres} check port ${ports.patroni}`,
  )
  return `
global
  log stdout format timed local0
defaults
  mode tcp
  log global
  option log-health-checks
  timeout connect 2s
  timeout check 2s
  timeout client 1h
  timeout server 1h
listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fastinter 250ms downinter 250ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`
}
