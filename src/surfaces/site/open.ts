// Loads the built site at the first request for a page: a server that is used only as an API does not need it.
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { BUILD } from './build.ts'
import type { Site } from './mount.ts'

interface BuiltServer {
  init(options: { env: Record<string, string | undefined> }): Promise<void>
  respond: Site['respond']
}

/** The site in `site/build`, loaded once. */
export function siteOnce(): () => Promise<Site> {
  let site: Promise<Site> | undefined
  return () => {
    site ??= open()
    return site
  }
}

async function open(): Promise<Site> {
  const { server } = (await import(pathToFileURL(join(BUILD, 'server/server.js')).href)) as { server: BuiltServer }
  await server.init({ env: process.env })
  const files = join(BUILD, 'client')
  const names = globSync('**/*.*', { cwd: files })
    .filter((name) => !/\.(br|gz|zst)$/.test(name))
    .map((name) => `/${name.replaceAll('\\', '/')}`)
  return { respond: server.respond.bind(server), files, names: new Set(names) }
}
