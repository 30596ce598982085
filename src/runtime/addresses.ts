// Hosts and addresses of services, as settings and requests name them.

/** Whether a host name means this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

/** The host of a URL with its port, as PRIVATE_SERVICES names it. */
export const hostWithPort = ({ host, port, protocol }: URL): string =>
  port ? host : `${host}:${protocol === 'http:' ? 80 : 443}`

/** The host and port of the PostgreSQL in the address of a database, without its account. */
export function serverIn(url: string): string {
  const { hostname, port, searchParams } = new URL(url)
  return `${searchParams.get('host') ?? (hostname || 'localhost')}:${searchParams.get('port') ?? (port || 5432)}`.toLowerCase()
}

/** Whether the address of a database names PostgreSQL: `postgres://...` or `postgresql://...`; any other is the path of a SQLite file. */
export const isPostgres = (url: string): boolean => /^postgres(ql)?:/.test(url)
