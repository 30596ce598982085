// Age of each job in seconds, by the queue's own clock.
export default async function queueAge({ native }) {
  const jobs = await native('queue.list')
  const newest = Math.max(...jobs.map((job) => job.submittedTick))
  return jobs.map((job) => ({ id: job.id, owner: job.owner, seconds: (newest - job.submittedTick) / 1000 }))
}
