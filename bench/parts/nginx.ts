// nginx as a limit or as a store: what it serves is its file, and one worker runs on the core that is said.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const command = ['nginx', '/usr/sbin/nginx'].find((name) => spawnSync(name, ['-v']).status === 0)

/** Whether it is installed; says that a bench is skipped if not. */
export function hasNginx(bench: string): boolean {
  if (!command) console.log(`  ${bench}: skipped, because nginx is not installed (apt-get install nginx-light)`)
  return command !== undefined
}

interface Nginx {
  port: number
  /** Where it keeps its own files; made here. */
  folder: string
  /** 0 or 1. */
  core: 0 | 1
  /** What stands in its `server { }`. */
  server: string
}

/** Starts nginx on a loopback port, with sendfile; the caller ends it. */
export async function startNginx({ port, folder, core, server }: Nginx): Promise<ChildProcess> {
  const own = resolve(folder)
  mkdirSync(own, { recursive: true })
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${own}/${name};`)
  writeFileSync(
    join(own, 'nginx.conf'),
    `daemon off; worker_processes 1; worker_cpu_affinity ${core === 0 ? '01' : '10'}; pid ${own}/pid; error_log ${own}/error.log;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 64; }
http { access_log off; sendfile on; tcp_nopush on; client_max_body_size 0; ${paths.join(' ')}
server { listen 127.0.0.1:${port}; keepalive_requests 1000000; ${server} } }`,
  )
  const child = spawn(command ?? 'nginx', ['-c', join(own, 'nginx.conf')], { stdio: 'ignore' })
  await new Promise((resolve) => setTimeout(resolve, 500))
  return child
}
