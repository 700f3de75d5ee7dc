import './home.css';
import { Waterline } from '../../shared/divider.js';
import { Achievements } from './achievements.js';
import { Features } from './features.js';
import { Hero } from './hero.js';
import { Panels } from './panels.js';
import { Statement } from './statement.js';
import { Why } from './why.js';

/** What the product is, shown by the product (DESIGN §1), and the way in. */
export default function HomePage() {
  return (
    <>
      <section className="hero">
        <div className="wrap">
          <Hero />
          <Achievements />
        </div>
        <Waterline />
      </section>
      <Features />
      <Panels />
      <Why />
      <Statement />
    </>
  );
}
