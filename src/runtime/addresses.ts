// Hosts and addresses of services, as settings and requests name them.

/** Whether a host name means this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

/** The host of a URL with its port, as PRIVATE_SERVICES names it. */
export const hostWithPort = ({ host, port, protocol }: URL): string =>
  port ? host : `${host}:${protocol === 'http:' ? 80 : 443}`

/** Whether the address of a database names PostgreSQL: `postgres://...` or `postgresql://...`; any other is the path of a SQLite file. */
export const isPostgres = (url: string): boolean => /^postgres(ql)?:/.test(url)
