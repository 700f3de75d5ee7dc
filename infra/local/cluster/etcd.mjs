// Three etcd: who is PostgreSQL's primary is decided by a majority of them.
import fs from 'node:fs';
import path from 'node:path';
import { httpAnswers } from '../ports.mjs';

const CLIENTS = 2379;
const PEERS = 2380;

/** @returns {{machine: object, service: object, client: string}[]} not started yet; their data is new */
export function createEtcd({ machines, tools, dataDir }) {
  const folder = path.join(dataDir, 'etcd');
  fs.rmSync(folder, { recursive: true, force: true });
  const members = machines.map(({ name, address }) => `${name}=http://${address}:${PEERS}`).join();
  return machines.map((machine) => {
    const data = path.join(folder, machine.name);
    fs.mkdirSync(data, { recursive: true, mode: 0o700 });
    const [clients, peers] = [CLIENTS, PEERS].map((port) => `http://${machine.address}:${port}`);
    const settings = {
      name: machine.name,
      'data-dir': data,
      'listen-client-urls': clients,
      'advertise-client-urls': clients,
      'listen-peer-urls': peers,
      'initial-advertise-peer-urls': peers,
      'initial-cluster': members,
      'initial-cluster-token': 'yiqiao',
      'heartbeat-interval': 100,
      'election-timeout': 1_000,
      logger: 'zap',
    };
    const args = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
    const program = () => ({ ...tools.etcd, args });
    // it is well once a majority is
    const service = machine.service({ program, isReady: () => httpAnswers(`${clients}/health`) });
    return {
      machine,
      service,
      client: `${machine.address}:${CLIENTS}`,
      isWell: () => httpAnswers(`${clients}/health`),
    };
  });
}

/** The member that leads the others. */
export async function etcdLeader(members) {
  for (const member of members) {
    const answer = await fetch(`http://${member.client}/v3/maintenance/status`, { method: 'POST', body: '{}' });
    const { leader, header } = await answer.json();
    if (leader === header.member_id) return member;
  }
  throw new Error('etcd has no leader');
}
