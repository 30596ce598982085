// Where each service of trackers is: people of another host are others, also where they have the same id.
import { required } from '../runtime/untyped.ts'
import type { Config } from './config.ts'

type Addresses = Pick<Config, 'githubApiUrl' | 'gitlabApiUrl' | 'linearApiUrl'>

/** The host of a service. */
export function trackerHost({ githubApiUrl, gitlabApiUrl, linearApiUrl }: Addresses, service: string): string {
  const urls: Record<string, string> = { github: githubApiUrl, gitlab: gitlabApiUrl, linear: linearApiUrl }
  return new URL(required(urls[service])).host
}
