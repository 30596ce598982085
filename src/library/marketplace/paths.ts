// Where agents find the marketplace of plugins: a repository of git, and a list that names it as the source of each plugin.
import { z } from 'zod'
import type { GitPath, ReadPath } from '../../request/endpoint.ts'
import { library as area } from '../items/area.ts'
import { kindsOn, marketplaceName } from './bounds.ts'

const marketplace = () => import('./marketplace.ts')

const PATH = '/marketplace.git'
const isThere: GitPath['isThere'] = (config) => kindsOn(config).length > 0

export const marketplacePath: GitPath = {
  ...{ path: PATH, area, isThere },
  repository: async (context) => (await marketplace()).marketplaceOf(context),
}

/** For Claude Code, which takes a list by its address, and each plugin from a folder of a repository. */
export const marketplaceList: ReadPath = {
  ...{ path: '/.claude-plugin/marketplace.json', area, isThere, input: z.object({}) },
  async read(context) {
    const { baseUrl, name } = context.config
    const placed = await (await marketplace()).listedPlugins(context)
    const { claudeMarketplace, pathOf } = await import('./commit.ts')
    const sourceOf = (plugin: string) => ({
      ...{ source: 'git-subdir', url: `${baseUrl}${PATH}`, path: pathOf(plugin).slice(2) },
    })
    return JSON.stringify(claudeMarketplace({ name: marketplaceName(baseUrl), owner: name, placed }, sourceOf))
  },
}
